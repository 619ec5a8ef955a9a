// What every builder shares: how a schema and its options become one object,
// and the marks that JSON does not show.
//
// The JSON of each builder is that of @sinclair/typebox 0.34, byte for byte
// (typebox_test.go compares), and so are the symbols, so that a tool may hand
// our schemas to the package's own /value and /compiler.

export const Kind = Symbol.for('TypeBox.Kind');
export const OptionalKind = Symbol.for('TypeBox.Optional');
export const ReadonlyKind = Symbol.for('TypeBox.Readonly');
export const TransformKind = Symbol.for('TypeBox.Transform');
export const Hint = Symbol.for('TypeBox.Hint');

// schema makes one schema of a kind. Options come before the keywords of the
// builder, which win.
export function schema(kind, keywords, options) {
  return { ...options, [Kind]: kind, ...keywords };
}

// amend adds options to a schema that exists: here the options win.
export const amend = (of, options) => (options === undefined ? of : { ...of, ...options });

export const kindOf = (s) => s?.[Kind];
export const isOptional = (s) => s?.[OptionalKind] === 'Optional';

export function without(of, ...keys) {
  const rest = { ...of };
  for (const key of keys) delete rest[key];
  return rest;
}

export const mapValues = (object, fn) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, fn(value, key)]));
