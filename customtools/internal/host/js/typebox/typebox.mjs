// The schema builders that a tool gets as pi.typebox, and by importing
// @sinclair/typebox or typebox.
import { Hint, Kind, OptionalKind, ReadonlyKind, TransformKind } from './schema.mjs';
import * as basic from './basic.mjs';
import { Enum, Intersect, Union, recursion } from './combine.mjs';
import { Composite, Index, KeyOf, Mapped, Object_, Omit, Partial, Pick, Record, Required } from './objects.mjs';
import { Capitalize, Lowercase, TemplateLiteral, Uncapitalize, Uppercase } from './template.mjs';
import { Exclude, Extends, Extract } from './extends.mjs';

// typebox makes one namespace: recursive types are numbered within it.
export function typebox() {
  const { amendFirst, ...scalars } = basic;
  const Type = {
    ...scalars,
    Capitalize, Composite, Enum, Exclude, Extends, Extract, Index, Intersect, KeyOf, Lowercase, Mapped,
    Object: Object_, Omit, Partial, Pick, Record, Recursive: recursion(), Required, TemplateLiteral,
    Uncapitalize, Union, Uppercase,
  };
  return { ...Type, Type, Hint, Kind, OptionalKind, ReadonlyKind, TransformKind };
}
