// The types of @sinclair/typebox 0.34 for the builders that custom tools have
// without installing anything. They are xcsh-lsp's own: of what has no counterpart
// in JSON Schema the types are wider than the package's.

declare module "@sinclair/typebox" {
  export const Kind: unique symbol;
  export const Hint: unique symbol;
  export const OptionalKind: unique symbol;
  export const ReadonlyKind: unique symbol;
  export const TransformKind: unique symbol;

  /** Options become properties of the schema. */
  export interface SchemaOptions {
    $schema?: string;
    $id?: string;
    title?: string;
    description?: string;
    default?: unknown;
    examples?: unknown;
    readOnly?: boolean;
    writeOnly?: boolean;
    [keyword: string]: any;
  }
  export interface StringOptions extends SchemaOptions {
    minLength?: number;
    maxLength?: number;
    pattern?: string;
    format?: string;
    contentEncoding?: string;
    contentMediaType?: string;
  }
  export interface NumberOptions extends SchemaOptions {
    minimum?: number;
    maximum?: number;
    exclusiveMinimum?: number;
    exclusiveMaximum?: number;
    multipleOf?: number;
  }
  export type IntegerOptions = NumberOptions;
  export interface ArrayOptions extends SchemaOptions {
    minItems?: number;
    maxItems?: number;
    uniqueItems?: boolean;
    contains?: TSchema;
    minContains?: number;
    maxContains?: number;
  }
  export interface ObjectOptions extends SchemaOptions {
    additionalProperties?: boolean | TSchema;
    minProperties?: number;
    maxProperties?: number;
  }
  export interface IntersectOptions extends SchemaOptions {
    unevaluatedProperties?: boolean | TSchema;
  }

  /**
   * A schema. `static` is the type of its values and exists for the compiler only;
   * `params` carries the type that a recursive schema has inside itself.
   */
  export interface TSchema extends SchemaOptions {
    [Kind]: string;
    static: unknown;
    params: unknown[];
  }
  /** The type of the values that a schema admits. */
  export type Static<T extends TSchema, P extends unknown[] = []> = (T & { params: P })["static"];
  export type StaticDecode<T extends TSchema, P extends unknown[] = []> = Static<T, P>;
  export type StaticEncode<T extends TSchema, P extends unknown[] = []> = Static<T, P>;

  export interface TAny extends TSchema { static: any }
  export interface TUnknown extends TSchema { static: unknown }
  export interface TNever extends TSchema { static: never; not: {} }
  export interface TNull extends TSchema { static: null; type: "null" }
  export interface TString extends TSchema { static: string; type: "string" }
  export interface TNumber extends TSchema { static: number; type: "number" }
  export interface TInteger extends TSchema { static: number; type: "integer" }
  export interface TBoolean extends TSchema { static: boolean; type: "boolean" }
  export interface TBigInt extends TSchema { static: bigint }
  export interface TSymbol extends TSchema { static: symbol }
  export interface TUndefined extends TSchema { static: undefined }
  export interface TVoid extends TSchema { static: void }
  export interface TDate extends TSchema { static: Date }
  export interface TUint8Array extends TSchema { static: Uint8Array }
  export interface TRegExp extends TSchema { static: string }
  export interface TTemplateLiteral extends TSchema { static: string; type: "string"; pattern: string }
  export interface TUnsafe<T> extends TSchema { static: T }

  export type TLiteralValue = string | number | boolean;
  export interface TLiteral<T extends TLiteralValue = TLiteralValue> extends TSchema { static: T; const: T }
  export type TEnumRecord = { [key: string]: string | number };
  export interface TEnum<T extends TEnumRecord = TEnumRecord> extends TSchema { static: T[keyof T] }

  type Each<T extends readonly TSchema[], P extends unknown[]> = { -readonly [I in keyof T]: Static<T[I], P> };
  type AllOf<T extends readonly TSchema[], P extends unknown[]> =
    T extends readonly [infer First extends TSchema, ...infer Rest extends readonly TSchema[]] ? Static<First, P> & AllOf<Rest, P> : unknown;
  type Flat<T> = { [K in keyof T]: T[K] } & {};

  export interface TArray<T extends TSchema = TSchema> extends TSchema { static: Static<T, this["params"]>[]; type: "array"; items: T }
  export interface TTuple<T extends readonly TSchema[] = readonly TSchema[]> extends TSchema {
    static: Each<T, this["params"]>;
    type: "array";
    items?: T;
  }
  export interface TUnion<T extends readonly TSchema[] = readonly TSchema[]> extends TSchema {
    static: Static<T[number], this["params"]>;
    anyOf: T;
  }
  export interface TIntersect<T extends readonly TSchema[] = readonly TSchema[]> extends TSchema {
    static: AllOf<T, this["params"]>;
    allOf: T;
  }
  export interface TNot<T extends TSchema = TSchema> extends TSchema { static: unknown; not: T }
  export interface TRecord<K extends string | number = string, T extends TSchema = TSchema> extends TSchema {
    static: { [key in K]: Static<T, this["params"]> };
    type: "object";
  }
  export interface TRef<Id extends string = string> extends TSchema { static: unknown; $ref: Id }

  export interface TThis extends TSchema { static: this["params"][0]; $ref: string }
  type Recursion<T extends TSchema> = Static<T, [Recursion<T>]>;
  export interface TRecursive<T extends TSchema> extends TSchema { static: Recursion<T> }

  /** The marks are on keys of an object: the schema itself stays as it is. */
  export type TOptional<T extends TSchema> = T & { [OptionalKind]: "Optional" };
  export type TReadonly<T extends TSchema> = T & { [ReadonlyKind]: "Readonly" };
  type Unmarked<T extends TSchema> = T extends TOptional<infer Inner extends TSchema> ? Inner : T;

  export type TProperties = { [key: string]: TSchema };
  type OptionalKeys<P extends TProperties> = { [K in keyof P]: P[K] extends { [OptionalKind]: "Optional" } ? K : never }[keyof P];
  type ReadonlyKeys<P extends TProperties> = { [K in keyof P]: P[K] extends { [ReadonlyKind]: "Readonly" } ? K : never }[keyof P];
  type PropertiesStatic<P extends TProperties, R extends unknown[], O = OptionalKeys<P>, F = ReadonlyKeys<P>> = Flat<
    & { readonly [K in keyof P as K extends O ? (K extends F ? K : never) : never]?: Static<P[K], R> }
    & { readonly [K in keyof P as K extends O ? never : (K extends F ? K : never)]: Static<P[K], R> }
    & { [K in keyof P as K extends O ? (K extends F ? never : K) : never]?: Static<P[K], R> }
    & { [K in keyof P as K extends O ? never : (K extends F ? never : K)]: Static<P[K], R> }
  >;
  export interface TObject<P extends TProperties = TProperties> extends TSchema {
    static: PropertiesStatic<P, this["params"]>;
    type: "object";
    properties: P;
    required?: string[];
    additionalProperties?: boolean | TSchema;
  }

  type MergedProperties<T extends readonly TObject[]> =
    T extends readonly [infer First extends TObject, ...infer Rest extends readonly TObject[]]
      ? Both<First["properties"], MergedProperties<Rest>>
      : {};
  type Both<A, B> = {
    [K in keyof A | keyof B]: K extends keyof A & keyof B ? BothOf<A[K], B[K]> : K extends keyof A ? A[K] : K extends keyof B ? B[K] : never;
  };
  type BothOf<A, B> = A extends TSchema ? (B extends TSchema ? TIntersect<[A, B]> : never) : never;
  type Keys<T> = T extends TSchema ? Static<T> : T extends readonly (infer K)[] ? K : T;
  type PartialOf<T extends TSchema> = T extends TObject<infer P> ? TObject<{ [K in keyof P]: TOptional<P[K]> }> : TUnsafe<Partial<Static<T>>>;
  type RequiredOf<T extends TSchema> = T extends TObject<infer P> ? TObject<{ [K in keyof P]: Unmarked<P[K]> }> : TUnsafe<Required<Static<T>>>;
  type PickOf<T extends TSchema, K> = T extends TObject<infer P> ? TObject<Pick<P, K & keyof P>> : TUnsafe<Pick<Static<T>, K & keyof Static<T>>>;
  type OmitOf<T extends TSchema, K> = T extends TObject<infer P> ? TObject<Flat<Omit<P, K & string>>> : TUnsafe<Flat<Omit<Static<T>, K & PropertyKey>>>;
  type ConstOf<T> = T extends TLiteralValue ? TLiteral<T> : TUnsafe<T>;

  export interface TypeBuilder {
    Any(options?: SchemaOptions): TAny;
    Unknown(options?: SchemaOptions): TUnknown;
    Never(options?: SchemaOptions): TNever;
    Null(options?: SchemaOptions): TNull;
    String(options?: StringOptions): TString;
    Number(options?: NumberOptions): TNumber;
    Integer(options?: IntegerOptions): TInteger;
    Boolean(options?: SchemaOptions): TBoolean;
    BigInt(options?: SchemaOptions): TBigInt;
    Symbol(options?: SchemaOptions): TSymbol;
    Undefined(options?: SchemaOptions): TUndefined;
    Void(options?: SchemaOptions): TVoid;
    Date(options?: SchemaOptions): TDate;
    Uint8Array(options?: SchemaOptions): TUint8Array;
    RegExp(pattern: string | RegExp, options?: SchemaOptions): TRegExp;
    Literal<const T extends TLiteralValue>(value: T, options?: SchemaOptions): TLiteral<T>;
    Const<const T>(value: T, options?: SchemaOptions): ConstOf<T>;
    /** The values of a TypeScript enum, or of an object in its place. */
    Enum<V extends string | number, const T extends { [key: string]: V }>(values: T, options?: SchemaOptions): TEnum<T>;
    TemplateLiteral(pattern: string | TSchema[], options?: SchemaOptions): TTemplateLiteral;
    /** Any JSON Schema, with the type that you say its values have. */
    Unsafe<T>(schema?: SchemaOptions): TUnsafe<T>;
    Ref<const Id extends string>(id: Id, options?: SchemaOptions): TRef<Id>;
    Ref<T extends TSchema>(target: T, options?: SchemaOptions): TUnsafe<Static<T>>;

    Array<T extends TSchema>(items: T, options?: ArrayOptions): TArray<T>;
    Tuple<const T extends readonly TSchema[]>(items: T, options?: SchemaOptions): TTuple<T>;
    Union<const T extends readonly TSchema[]>(alternatives: T, options?: SchemaOptions): TUnion<T>;
    Intersect<const T extends readonly TSchema[]>(all: T, options?: IntersectOptions): TIntersect<T>;
    Not<T extends TSchema>(type: T, options?: SchemaOptions): TNot<T>;
    Extract<T extends TSchema, U extends TSchema>(type: T, of: U, options?: SchemaOptions): TUnsafe<Extract<Static<T>, Static<U>>>;
    Exclude<T extends TSchema, U extends TSchema>(type: T, not: U, options?: SchemaOptions): TUnsafe<Exclude<Static<T>, Static<U>>>;
    /** A schema that contains itself, as the argument of make. */
    Recursive<T extends TSchema>(make: (self: TThis) => T, options?: SchemaOptions): TRecursive<T>;

    /** Further properties stay allowed unless `additionalProperties` is false. */
    Object<P extends TProperties>(properties: P, options?: ObjectOptions): TObject<P>;
    Optional<T extends TSchema>(type: T, enable?: true): TOptional<T>;
    Readonly<T extends TSchema>(type: T, enable?: true): TReadonly<T>;
    ReadonlyOptional<T extends TSchema>(type: T): TReadonly<TOptional<T>>;
    Record<K extends TSchema, T extends TSchema>(keys: K, values: T, options?: ObjectOptions): TRecord<Static<K> & (string | number), T>;
    Composite<const T extends readonly TObject[]>(objects: T, options?: ObjectOptions): TObject<MergedProperties<T>>;
    Partial<T extends TSchema>(type: T, options?: SchemaOptions): PartialOf<T>;
    Required<T extends TSchema>(type: T, options?: SchemaOptions): RequiredOf<T>;
    Pick<T extends TSchema, const K extends string | readonly string[] | TSchema>(type: T, keys: K, options?: SchemaOptions): PickOf<T, Keys<K>>;
    Omit<T extends TSchema, const K extends string | readonly string[] | TSchema>(type: T, keys: K, options?: SchemaOptions): OmitOf<T, Keys<K>>;
    KeyOf<T extends TSchema>(type: T, options?: SchemaOptions): TUnsafe<keyof Static<T>>;
    Index<T extends TSchema, const K extends string | number | readonly string[] | TSchema>(type: T, keys: K, options?: SchemaOptions): TUnsafe<Static<T>[Keys<K> & keyof Static<T>]>;

    Capitalize(type: TSchema, options?: SchemaOptions): TUnsafe<string>;
    Uncapitalize(type: TSchema, options?: SchemaOptions): TUnsafe<string>;
    Lowercase(type: TSchema, options?: SchemaOptions): TUnsafe<string>;
    Uppercase(type: TSchema, options?: SchemaOptions): TUnsafe<string>;
    Mapped(keys: TSchema, make: (key: any) => TSchema, options?: SchemaOptions): TUnsafe<any>;
    Extends(left: TSchema, right: TSchema, yes: TSchema, no: TSchema, options?: SchemaOptions): TUnsafe<any>;
    Rest(type: TSchema): TSchema[];
  }
  export const Type: TypeBuilder;
}

declare module "typebox" {
  export * from "@sinclair/typebox";
}
