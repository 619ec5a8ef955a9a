// Choosing among types by whether one admits all that another does.
import { kindOf } from './schema.mjs';
import { Literal, amendFirst } from './basic.mjs';
import { Union, members } from './combine.mjs';
import { everyText } from './template.mjs';

const parents = {
  Integer: ['Number'],
  TemplateLiteral: ['String'],
  Tuple: ['Array'],
};

// extendsType reports whether every value of left is one of right, for the
// types of arguments: scalars, literals, lists and objects.
export function extendsType(left, right) {
  if (['Any', 'Unknown'].includes(kindOf(right)) || kindOf(left) === 'Never') return true;
  if (kindOf(left) === 'Union') return left.anyOf.every((one) => extendsType(one, right));
  if (kindOf(right) === 'Union') return right.anyOf.some((one) => extendsType(left, one));
  if (kindOf(left) === 'Intersect') return left.allOf.some((one) => extendsType(one, right));
  if (kindOf(right) === 'Intersect') return right.allOf.every((one) => extendsType(left, one));
  if (kindOf(left) === 'Literal') return literalExtends(left.const, right);
  if (kindOf(left) === 'Object' && kindOf(right) === 'Object') return objectExtends(left, right);
  if (kindOf(left) === 'Array' && kindOf(right) === 'Array') return extendsType(left.items, right.items);
  if (kindOf(left) === 'Tuple' && kindOf(right) === 'Array') return (left.items ?? []).every((one) => extendsType(one, right.items));
  return kindOf(left) === kindOf(right) || (parents[kindOf(left)] ?? []).includes(kindOf(right));
}

function literalExtends(value, right) {
  switch (kindOf(right)) {
    case 'Literal': return right.const === value;
    case 'TemplateLiteral': return new RegExp(right.pattern).test(String(value));
    case 'String': return typeof value === 'string';
    case 'Number': return typeof value === 'number';
    case 'Integer': return Number.isInteger(value);
    case 'Boolean': return typeof value === 'boolean';
    default: return false;
  }
}

const objectExtends = (left, right) =>
  Object.entries(right.properties).every(([key, type]) => key in left.properties && extendsType(left.properties[key], type));

export const Extends = (left, right, yes, no, options) => amendFirst(extendsType(left, right) ? yes : no, options);

const select = (wanted) => (type, filter, options) => {
  const texts = kindOf(type) === 'TemplateLiteral' ? everyText(type.pattern) : undefined;
  const of = texts ? texts.map((text) => Literal(text)) : members(type);
  return Union(of.filter((one) => extendsType(one, filter) === wanted), options);
};

export const Exclude = select(false);
export const Extract = select(true);
