// Template literals: from types, or from a text with ${…}, to a pattern; and,
// where the pattern is finite, back to every text that it admits.
import { kindOf, schema } from './schema.mjs';
import { Boolean, BigInt, Literal, Number, String, amendFirst } from './basic.mjs';
import { Union } from './combine.mjs';

const anyText = '(.*)';
const anyNumber = '(0|[1-9][0-9]*)';

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// patternOf is the pattern of one part, without the anchors.
export function patternOf(type) {
  switch (kindOf(type)) {
    case 'TemplateLiteral': return type.pattern.slice(1, -1);
    case 'Union': return `(${type.anyOf.map(patternOf).join('|')})`;
    case 'Number':
    case 'Integer':
    case 'BigInt': return anyNumber;
    case 'String': return anyText;
    case 'Literal': return escape(`${type.const}`);
    case 'Boolean': return '(true|false)';
    default: throw new Error(`Unexpected Kind '${kindOf(type)}'`);
  }
}

const named = { string: String, number: Number, bigint: BigInt, boolean: Boolean };

// parts splits a text at its ${…}; each hole names a type, or alternatives.
function parts(text) {
  const found = [];
  let rest = text;
  for (let hole; (hole = /\$\{([^}]*)\}/.exec(rest)); rest = rest.slice(hole.index + hole[0].length)) {
    if (hole.index > 0) found.push(Literal(rest.slice(0, hole.index)));
    const name = hole[1].trim();
    found.push(Object.hasOwn(named, name) ? named[name]() : Union(name.split('|').map((one) => Literal(one.trim()))));
  }
  if (rest !== '') found.push(Literal(rest));
  return found;
}

export const TemplateLiteral = (content, options) => {
  const types = typeof content === 'string' ? parts(content) : content;
  return schema('TemplateLiteral', { type: 'string', pattern: `^${types.map(patternOf).join('')}$` }, options);
};

// everyText lists what a pattern of ours admits, or undefined where that has
// no end. It reads what patternOf writes: texts, groups, alternatives.
export function everyText(pattern) {
  if (pattern.includes(anyText) || pattern.includes(anyNumber)) return undefined;
  const body = pattern.slice(1, -1);
  let at = 0;
  const product = (heads, tails) => heads.flatMap((head) => tails.map((tail) => head + tail));
  const alternatives = () => {
    const all = [];
    for (let texts = ['']; ; at++) {
      const c = body[at];
      if (c === undefined || c === ')') return [...all, ...texts];
      if (c === '|') { all.push(...texts); texts = ['']; }
      else if (c === '(') { at++; texts = product(texts, alternatives()); }
      else { if (c === '\\') at++; texts = product(texts, [body[at]]); }
    }
  };
  return alternatives();
}

const casings = {
  Uppercase: (text) => text.toUpperCase(),
  Lowercase: (text) => text.toLowerCase(),
  Capitalize: (text) => text.slice(0, 1).toUpperCase() + text.slice(1),
  Uncapitalize: (text) => text.slice(0, 1).toLowerCase() + text.slice(1),
};

function recase(type, change) {
  switch (kindOf(type)) {
    case 'Union': return Union(type.anyOf.map((one) => recase(one, change)));
    case 'Literal': return typeof type.const === 'string' ? Literal(change(type.const)) : type;
    case 'TemplateLiteral': {
      const texts = everyText(type.pattern);
      return texts ? TemplateLiteral([Union(texts.map((text) => Literal(change(text))))]) : type;
    }
    default: return type;
  }
}

const casing = (name) => (type, options) => amendFirst(recase(type, casings[name]), options);
export const Uppercase = casing('Uppercase');
export const Lowercase = casing('Lowercase');
export const Capitalize = casing('Capitalize');
export const Uncapitalize = casing('Uncapitalize');
