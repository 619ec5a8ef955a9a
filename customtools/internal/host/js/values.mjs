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

// failure describes what was thrown: an error's own message, without class or
// stack, and any other value as a string.
export function failure(thrown) {
  if (thrown !== null && typeof thrown === 'object' && typeof thrown.message === 'string') {
    const { message, name, stack } = thrown;
    return { message, name: typeof name === 'string' ? name : undefined, stack: typeof stack === 'string' ? stack : undefined };
  }
  try {
    return { message: String(thrown) };
  } catch {
    return { message: 'a value that is no string was thrown' };
  }
}
