// From any value of a tool to JSON, and from whatever it threw to a message.

// stringify is JSON.stringify for values that it refuses: a BigInt becomes a
// string, an object that contains itself ends there. undefined stays undefined.
export function stringify(value) {
  try {
    return JSON.stringify(value);
  } catch {
    const path = [];
    return JSON.stringify(value, function (_key, inner) {
      if (typeof inner === 'bigint') return String(inner);
      if (inner === null || typeof inner !== 'object') return inner;
      while (path.length > 0 && path.at(-1) !== this) path.pop();
      if (path.includes(inner)) return '[Circular]';
      path.push(inner);
      return inner;
    });
  }
}

// longestMessage is how much of an error's text is told, in characters: no
// human reads more, and it goes into logs and results.
const longestMessage = 1 << 20;

// failure describes what was thrown: an error's own message, without class or
// stack, and any other value as a string. What was thrown may throw when it is
// looked at.
export function failure(thrown) {
  const text = (name) => attempt(() => {
    const value = thrown[name];
    return typeof value === 'string' ? value.slice(0, longestMessage) : undefined;
  });
  const message = isObject(thrown) ? text('message') : undefined;
  if (message !== undefined) return { message, name: text('name'), stack: text('stack') };
  return { message: attempt(() => String(thrown).slice(0, longestMessage)) ?? 'a value that is no string was thrown' };
}

export const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');

// attempt is what look returns; undefined where it throws.
function attempt(look) {
  try {
    return look();
  } catch {
    return undefined;
  }
}
