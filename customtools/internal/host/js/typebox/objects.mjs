// Objects, records, and what is derived from an object.
import { Kind, OptionalKind, ReadonlyKind, amend, isOptional, kindOf, mapValues, schema, without } from './schema.mjs';
import { Literal, Never, Number, Optional, amendFirst } from './basic.mjs';
import { Intersect, Union } from './combine.mjs';
import { everyText } from './template.mjs';

export const Object_ = (properties, options) => {
  const required = Object.keys(properties).filter((key) => !isOptional(properties[key]));
  const list = required.length > 0 ? { required } : {};
  return schema('Object', { type: 'object', ...list, properties }, options);
};

// keysOf reads the names that a union of literals, a template or a list gives.
export function keysOf(keys) {
  if (Array.isArray(keys)) return keys.map(String);
  switch (kindOf(keys)) {
    case 'Literal': return [String(keys.const)];
    case 'Union': return keys.anyOf.flatMap(keysOf);
    case 'Number':
    case 'Integer': return ['[number]'];
    case 'Boolean': return ['true', 'false'];
    case 'TemplateLiteral': return everyText(keys.pattern) ?? [];
    default: return [];
  }
}

const keyPatterns = {
  String: (key) => key.pattern ?? '^(.*)$',
  Any: () => '^(.*)$',
  Number: () => '^(0|[1-9][0-9]*)$',
  Integer: () => '^(0|[1-9][0-9]*)$',
  Never: () => '^(?!.*)$',
  RegExp: (key) => key.source,
  TemplateLiteral: (key) => key.pattern,
};

export const Record = (key, type, options) => {
  const finite = kindOf(key) !== 'TemplateLiteral' || everyText(key.pattern) !== undefined;
  const pattern = keyPatterns[kindOf(key)];
  if (pattern && !(kindOf(key) === 'TemplateLiteral' && finite)) {
    return schema('Record', { type: 'object', patternProperties: { [pattern(key)]: type } }, options);
  }
  const properties = Object.fromEntries(keysOf(key).map((name) => [name, type]));
  return { ...options, ...Object_(properties) };
};

// rebuild gives an object other properties and keeps its own options.
const rebuild = (object, properties) =>
  Object_(properties, without(object, '$id', 'type', 'required', 'properties', Kind, OptionalKind, ReadonlyKind));

// derive applies change to an object, or to each object of a union or an
// intersection. Everything else stays what it is.
function derive(type, change, options) {
  switch (kindOf(type)) {
    case 'Object': return amend(rebuild(type, change(type.properties)), options);
    case 'Union': return amend(Union(type.anyOf.map((one) => derive(one, change))), options);
    case 'Intersect': return amend(Intersect(type.allOf.map((one) => derive(one, change))), options);
    default: return amend(type, options);
  }
}

const filtered = (keep) => (properties) =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => keep(key)));

export const Partial = (type, options) => derive(type, (of) => mapValues(of, (one) => Optional(one)), options);
export const Required = (type, options) => derive(type, (of) => mapValues(of, (one) => without(one, OptionalKind)), options);
export const Omit = (type, keys, options) => derive(type, filtered((key) => !keysOf(keys).includes(key)), options);
export const Pick = (type, keys, options) =>
  derive(type, (of) => Object.fromEntries(keysOf(keys).filter((key) => key in of).map((key) => [key, of[key]])), options);

// propertyKeys lists the names that a value of this type has for certain.
export function propertyKeys(type) {
  switch (kindOf(type)) {
    case 'Object': return Object.keys(type.properties);
    case 'Tuple': return (type.items ?? []).map((_, index) => String(index));
    case 'Array': return ['[number]'];
    case 'Intersect': return [...new Set(type.allOf.flatMap(propertyKeys))];
    case 'Union': return type.anyOf.map(propertyKeys).reduce((common, keys) => common.filter((key) => keys.includes(key)));
    default: return [];
  }
}

export const KeyOf = (type, options) =>
  Union(propertyKeys(type).map((key) => (key === '[number]' ? Number() : Literal(key))), options);

// property is the type of one key, or undefined where the type has none.
function property(type, key) {
  switch (kindOf(type)) {
    case 'Object': return type.properties[key];
    case 'Tuple': return key === '[number]' ? Union(type.items ?? []) : type.items?.[key];
    case 'Array': return key === '[number]' ? type.items : undefined;
    case 'Intersect': return both(type.allOf.map((one) => property(one, key)));
    case 'Union': {
      const each = type.anyOf.map((one) => property(one, key));
      return each.includes(undefined) ? undefined : either(each);
    }
    default: return undefined;
  }
}

// The mark of an optional key moves out of the members: a key of an
// intersection is optional where all say so, of a union where one does.
function both(types) {
  const known = types.filter((type) => type !== undefined && kindOf(type) !== 'Never');
  if (known.length === 0) return types.find((type) => type !== undefined);
  if (known.length === 1) return known[0];
  const merged = Intersect(known.map((type) => without(type, OptionalKind)));
  return known.every(isOptional) ? Optional(merged) : merged;
}

function either(types) {
  if (types.length === 1) return types[0];
  const merged = Union(types.map((type) => without(type, OptionalKind)));
  return types.some(isOptional) ? Optional(merged) : merged;
}

export const Index = (type, keys, options) => {
  const found = keysOf(keys).map((key) => property(type, key) ?? Never());
  return amendFirst(found.length === 1 ? found[0] : either(found.length > 0 ? found : [Never()]), options);
};

export const Composite = (types, options) => {
  const keys = [...new Set(types.flatMap(propertyKeys))];
  const properties = keys.map((key) => [key, both(types.map((type) => property(type, key)))]);
  return Object_(Object.fromEntries(properties), options);
};

export const Mapped = (keys, make, options) => {
  const names = keysOf(keys);
  return Object_(Object.fromEntries(names.map((name) => [name, make(Literal(name))])), options);
};
