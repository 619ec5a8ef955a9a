// What values the schemas of the builders have. The same file is checked with the
// types of @sinclair/typebox itself.
import { Type, type Static, type TSchema } from "@sinclair/typebox";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
// same is called with the type that a schema's values are to have, and the schema.
const same = <Want>() => <T extends TSchema>(_schema: T, _same: Same<Static<T>, Want>) => {};

same<string>()(Type.String({ minLength: 1, format: "email" }), true);
same<number>()(Type.Number({ minimum: 0 }), true);
same<number>()(Type.Integer(), true);
same<boolean>()(Type.Boolean({ default: true }), true);
same<null>()(Type.Null(), true);
same<any>()(Type.Any(), true);
same<unknown>()(Type.Unknown(), true);
same<never>()(Type.Never(), true);
same<"a">()(Type.Literal("a"), true);
same<1>()(Type.Literal(1), true);

same<string | number>()(Type.Union([Type.String(), Type.Number()]), true);
same<"a" | "b">()(Type.Union([Type.Literal("a"), Type.Literal("b")]), true);
same<string[]>()(Type.Array(Type.String(), { maxItems: 4 }), true);
same<[string, number]>()(Type.Tuple([Type.String(), Type.Number()]), true);
enum Colour { Red = "red", Blue = "blue" }
const colour = Type.Enum(Colour);
export const blue: Static<typeof colour> = Colour.Blue;
// @ts-expect-error a string is no member of an enum
export const green: Static<typeof colour> = "green";
same<{ a: string } & { b: number }>()(Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })]), true);
same<Date>()(Type.Unsafe<Date>({ type: "string" }), true);

same<{}>()(Type.Object({}), true);
same<{ a: string; b?: number }>()(Type.Object({ a: Type.String(), b: Type.Optional(Type.Number()) }), true);
same<{ readonly a: string; readonly b?: number }>()(
  Type.Object({ a: Type.Readonly(Type.String()), b: Type.ReadonlyOptional(Type.Number()) }, { additionalProperties: false }), true);
same<{ list: { at: [number, number]; note?: "x" | "y" }[] }>()(
  Type.Object({
    list: Type.Array(Type.Object({
      at: Type.Tuple([Type.Number(), Type.Number()]),
      note: Type.Optional(Type.Union([Type.Literal("x"), Type.Literal("y")])),
    })),
  }), true);
same<{ [key: string]: number }>()(Type.Record(Type.String(), Type.Number()), true);
same<{ a: number; b: number }>()(Type.Record(Type.Union([Type.Literal("a"), Type.Literal("b")]), Type.Number()), true);

const both = Type.Object({ a: Type.String(), b: Type.Optional(Type.Number()) });
same<{ a?: string; b?: number }>()(Type.Partial(both), true);
same<{ a: string; b: number }>()(Type.Required(both), true);
same<{ a: string }>()(Type.Pick(both, ["a"]), true);
same<{ a: string }>()(Type.Omit(both, ["b"]), true);
same<{ a: string }>()(Type.Omit(both, Type.Literal("b")), true);
same<"a" | "b">()(Type.KeyOf(both), true);
same<string>()(Type.Index(both, ["a"]), true);
same<{ a: string; b?: number; c: null }>()(Type.Composite([both, Type.Object({ c: Type.Null() })]), true);
same<{ a: never; b?: number }>()(Type.Composite([both, Type.Object({ a: Type.Boolean() })]), true);
same<"a">()(Type.Exclude(Type.Union([Type.Literal("a"), Type.Literal("b")]), Type.Literal("b")), true);

interface Tree { name: string; children: Tree[] }
const tree = Type.Recursive((Self) => Type.Object({ name: Type.String(), children: Type.Array(Self) }));
const leaf: Static<typeof tree> = { name: "leaf", children: [] };
const whole: Tree = leaf;
whole.children.push(leaf);
// @ts-expect-error a tree has children
const stump: Static<typeof tree> = { name: "stump" };
// @ts-expect-error and they are trees
leaf.children.push({ name: 1, children: [] });

// @ts-expect-error what is not the same is seen
same<string>()(Type.Number(), true);
// @ts-expect-error
same<{ a: string }>()(both, true);
