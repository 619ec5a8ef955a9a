// Scalars, literals, lists, and the kinds that have no keyword in JSON Schema.
import { Kind, OptionalKind, ReadonlyKind, TransformKind, kindOf, schema, without } from './schema.mjs';

const scalar = (kind, type) => (options) => schema(kind, { type }, options);

export const String = scalar('String', 'string');
export const Number = scalar('Number', 'number');
export const Integer = scalar('Integer', 'integer');
export const Boolean = scalar('Boolean', 'boolean');
export const Null = scalar('Null', 'null');
export const BigInt = scalar('BigInt', 'bigint');
export const Symbol = scalar('Symbol', 'symbol');
export const Undefined = scalar('Undefined', 'undefined');
export const Void = scalar('Void', 'void');
export const Date = scalar('Date', 'Date');
export const Uint8Array = scalar('Uint8Array', 'Uint8Array');

export const Any = (options) => schema('Any', {}, options);
export const Unknown = (options) => schema('Unknown', {}, options);
export const Never = (options) => schema('Never', { not: {} }, options);
export const Not = (type, options) => schema('Not', { not: type }, options);
export const Ref = (target, options) => {
  const $ref = typeof target === 'string' ? target : target?.$id;
  if (typeof $ref !== 'string') throw new Error('Ref: $ref must be a string');
  return schema('Ref', { $ref }, options);
};
export const Unsafe = (given = {}) => ({ ...given, [Kind]: given[Kind] ?? 'Unsafe' });

export const Literal = (value, options) => schema('Literal', { const: value, type: typeof value }, options);

export const RegExp = (pattern, options) => {
  const { source, flags } = typeof pattern === 'string' ? new globalThis.RegExp(pattern) : pattern;
  return schema('RegExp', { type: 'RegExp', source, flags }, options);
};

export const Array = (items, options) => schema('Array', { type: 'array', items }, options);

export const Tuple = (types, options) => {
  const size = { minItems: types.length, maxItems: types.length };
  const items = types.length > 0 ? { items: types, additionalItems: false } : {};
  return schema('Tuple', { type: 'array', ...items, ...size }, options);
};

export const Promise = (item, options) => schema('Promise', { type: 'Promise', item }, options);
export const Iterator = (items, options) => schema('Iterator', { type: 'Iterator', items }, options);
export const AsyncIterator = (items, options) => schema('AsyncIterator', { type: 'AsyncIterator', items }, options);
export const Function = (parameters, returns, options) =>
  schema('Function', { type: 'Function', parameters, returns }, options);
export const Constructor = (parameters, returns, options) =>
  schema('Constructor', { type: 'Constructor', parameters, returns }, options);

// A mark says what a key of an object is; the schema's JSON stays as it is.
const mark = (symbol, name) => (type, enable = true) =>
  enable ? { ...type, [symbol]: name } : without(type, symbol);

export const Optional = mark(OptionalKind, 'Optional');
export const Readonly = mark(ReadonlyKind, 'Readonly');
export const ReadonlyOptional = (type) => Readonly(Optional(type));

// Transform keeps the two functions beside the schema, for a tool that runs
// them itself: the host reads the JSON only.
export const Transform = (type) => ({
  Decode: (decode) => ({
    Encode: (encode) => {
      const before = type[TransformKind];
      const both = before
        ? { Encode: (value) => before.Encode(encode(value)), Decode: (value) => decode(before.Decode(value)) }
        : { Encode: encode, Decode: decode };
      return { ...type, [TransformKind]: both };
    },
  }),
});

// Const makes the schema that admits exactly this value.
export const Const = (value, options) => amendFirst(exactly(value), options);

function exactly(value) {
  if (globalThis.Array.isArray(value)) return Readonly(Tuple(value.map(exactly)));
  if (value === null) return Null();
  if (value === undefined) return Undefined();
  if (value instanceof globalThis.Date) return Date();
  if (value instanceof globalThis.Uint8Array) return Uint8Array();
  switch (typeof value) {
    case 'bigint': return BigInt();
    case 'symbol': return Symbol();
    case 'function': return Function([], Unknown());
    case 'object': {
      const properties = Object.fromEntries(Object.entries(value).map(([key, of]) => [key, Readonly(exactly(of))]));
      const required = Object.keys(properties);
      return schema('Object', { type: 'object', ...(required.length > 0 && { required }), properties });
    }
    default: return Literal(value);
  }
}

// amendFirst puts options before the keywords of a schema that is already made.
export const amendFirst = (type, options) => (options === undefined ? type : { ...options, ...type });

export const Awaited = (type, options) =>
  kindOf(type) === 'Promise' ? Awaited(type.item, options) : amendFirst(type, options);
export const Rest = (type) => (kindOf(type) === 'Tuple' ? [...(type.items ?? [])] : globalThis.Array.isArray(type?.anyOf ?? type?.allOf) ? [...(type.anyOf ?? type.allOf)] : []);
export const ReturnType = (type, options) => amendFirst(type.returns ?? Never(), options);
export const InstanceType = ReturnType;
export const Parameters = (type, options) => (type.parameters ? Tuple(type.parameters, options) : Never(options));
export const ConstructorParameters = Parameters;
