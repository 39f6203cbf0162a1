import type { z } from "zod";
import type { Passage, RankedPassage } from "../../contract/index.ts";

/**
 * What a field's type requires from zod. Every schema of zod 4 has it, whichever version, copy or
 * flavour (`zod`, `zod/mini`) made it.
 */
export interface FieldSchema<TOutput = unknown, TInput = unknown> {
  readonly _zod: {
    readonly def: { readonly type: string };
    readonly output: TOutput;
    readonly input: TInput;
  };
}

/** Named fields, each a zod schema, in order. */
export type FieldSchemas = Readonly<Record<string, FieldSchema>>;

type OptionalNames<TFields extends FieldSchemas> = {
  [K in keyof TFields]: undefined extends z.output<TFields[K]> ? K : never;
}[keyof TFields];

type RequiredNames<TFields extends FieldSchemas> = Exclude<keyof TFields, OptionalNames<TFields>>;

/** A field with a default may be left out by the caller, and is always there for the step. */
type OmittableNames<TFields extends FieldSchemas> = {
  [K in keyof TFields]: undefined extends z.input<TFields[K]> ? K : never;
}[keyof TFields];

/**
 * Accepts read-only lists and objects at any depth: a step never changes its inputs. Text with a
 * role is a string and needs no change; neither do passages, which are already read-only.
 */
type Given<TValue> = TValue extends string | number | boolean | null | undefined
  ? TValue
  : TValue extends readonly (infer TItem)[]
    ? readonly Given<TItem>[]
    : TValue extends object
      ? IsPassage<TValue> extends true
        ? TValue
        : { readonly [K in keyof TValue]: Given<TValue[K]> }
      : TValue;

type IsPassage<TValue> = [TValue, keyof TValue] extends [Passage, keyof RankedPassage]
  ? true
  : false;

type Flat<TObject> = { readonly [K in keyof TObject]: TObject[K] };

/** The inputs of a step, as a caller passes them. */
export type InputOf<TFields extends FieldSchemas> = Flat<
  { [K in Exclude<keyof TFields, OmittableNames<TFields>>]: Given<z.input<TFields[K]>> } & {
    [K in OmittableNames<TFields>]?: Given<z.input<TFields[K]>>;
  }
>;

/** The inputs of a step, as it receives them: with defaults filled in. */
export type ReceivedOf<TFields extends FieldSchemas> = Flat<
  { [K in RequiredNames<TFields>]: Given<z.output<TFields[K]>> } & {
    [K in OptionalNames<TFields>]?: Given<z.output<TFields[K]>>;
  }
>;

/** The outputs of a step. */
export type OutputOf<TFields extends FieldSchemas> = Flat<
  { [K in RequiredNames<TFields>]: z.output<TFields[K]> } & {
    [K in OptionalNames<TFields>]?: z.output<TFields[K]>;
  }
>;
