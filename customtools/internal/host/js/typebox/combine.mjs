// Unions, intersections, enumerations and recursion.
import { Kind, kindOf, schema } from './schema.mjs';
import { Literal, Never, amendFirst } from './basic.mjs';

export const Union = (types, options) => {
  if (types.length === 0) return Never(options);
  if (types.length === 1) return amendFirst(types[0], options);
  return schema('Union', { anyOf: types }, options);
};

export const Intersect = (types, options = {}) => {
  if (types.length === 0) return Never(options);
  if (types.length === 1) return amendFirst(types[0], options);
  const closed = typeof options.unevaluatedProperties === 'boolean' || kindOf(options.unevaluatedProperties) !== undefined;
  const objects = closed || types.every((type) => kindOf(type) === 'Object');
  return schema('Intersect', { ...(objects && { type: 'object' }), allOf: types }, options);
};

// Enum takes the values of a TypeScript enum, which at run time also maps its
// numbers back to their names.
export const Enum = (object, options) => {
  if (object === undefined) throw new Error('Enum undefined or empty');
  const values = Object.keys(object).filter((key) => isNaN(key)).map((key) => object[key]);
  return Union([...new Set(values)].map((value) => Literal(value)), { ...options });
};

// recursion makes the builder of recursive types: one without an $id of its own
// gets the next number.
export function recursion() {
  let count = 0;
  return (make, options = {}) => {
    const $id = options.$id ?? `T${count++}`;
    const type = make({ [Kind]: 'This', $ref: $id });
    return Object.assign({ ...options, $id }, type, { $id });
  };
}

// members flattens a union into its alternatives.
export const members = (type) => (kindOf(type) === 'Union' ? type.anyOf.flatMap(members) : [type]);
