import type { z } from "zod";

/** The parts of zod's definitions that are read here; zod keeps them stable for library authors. */
export interface ZodDefinition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  /** What an object does with other keys; absent when it drops them. */
  readonly catchall?: z.ZodType;
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly coerce?: boolean;
  readonly checks?: readonly { readonly _zod: { readonly def: ZodCheck } }[];
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

export function definitionOf(schema: z.ZodType): ZodDefinition & ZodCheck {
  return schema._zod.def;
}
