import type { FieldSchema } from "./field-values.ts";

/** The parts of zod's definitions that are read here; zod keeps them stable for library authors. */
export interface ZodDefinition {
  readonly type: string;
  readonly innerType?: FieldSchema;
  readonly element?: FieldSchema;
  readonly shape?: Readonly<Record<string, FieldSchema>>;
  /** What an object does with other keys; absent when it drops them. */
  readonly catchall?: FieldSchema;
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly coerce?: boolean;
  readonly checks?: readonly { readonly _zod: { readonly def: ZodCheck } }[];
  /** The members of a union. */
  readonly options?: readonly FieldSchema[];
  /** The key that tells the members of a union apart. */
  readonly discriminator?: string;
  /** `false` where exactly one member of a union may fit. */
  readonly inclusive?: boolean;
  readonly keyType?: FieldSchema;
  readonly valueType?: FieldSchema;
  /** `true` for a record that may lack some of its labels. */
  readonly partial?: boolean;
  /** `"loose"` for a record that keeps keys that do not fit. */
  readonly mode?: string;
  /** The places of a tuple. */
  readonly items?: readonly FieldSchema[];
  /** What may follow the places of a tuple. */
  readonly rest?: FieldSchema | null;
  /** Another value at each reading where the author gave a function. */
  readonly defaultValue?: unknown;
}

/** One check; `z.email()` and `z.int()` keep theirs on the definition itself. */
export interface ZodCheck {
  readonly check?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly format?: string;
  readonly pattern?: RegExp;
  /** Further demands of a URL or token format. */
  readonly hostname?: RegExp;
  readonly protocol?: RegExp;
  readonly alg?: string;
  readonly params?: { readonly id?: unknown };
}

export function definitionOf(schema: FieldSchema): ZodDefinition & ZodCheck {
  return schema._zod.def;
}

/** What a wrapper wraps: optional, nullable, default, read-only, lazy. */
export function innerOf(schema: FieldSchema): FieldSchema | undefined {
  const { type, innerType } = definitionOf(schema);
  return type === "lazy" ? (schema._zod as { innerType?: FieldSchema }).innerType : innerType;
}

/** The schemas directly inside of a schema. */
export function partsOf(schema: FieldSchema): readonly FieldSchema[] {
  const {
    element,
    shape = {},
    options = [],
    keyType,
    valueType,
    items = [],
    rest,
  } = definitionOf(schema);
  return [
    innerOf(schema),
    element,
    ...Object.values(shape),
    ...options,
    keyType,
    valueType,
    ...items,
    rest ?? undefined,
  ].filter((part) => part !== undefined);
}
