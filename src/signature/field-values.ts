import type { z } from "zod";

/** Named fields, each a zod schema, in order. */
export type FieldSchemas = Readonly<Record<string, z.ZodType>>;

type OptionalNames<TFields extends FieldSchemas> = {
  [K in keyof TFields]: undefined extends z.output<TFields[K]> ? K : never;
}[keyof TFields];

type RequiredNames<TFields extends FieldSchemas> = Exclude<keyof TFields, OptionalNames<TFields>>;

/** A list is accepted read-only: a step never changes what it is given. */
type Given<TValue> = TValue extends readonly (infer TItem)[] ? readonly TItem[] : TValue;

type Flat<TObject> = { readonly [K in keyof TObject]: TObject[K] };

/** What a step takes, as a caller passes it. */
export type InputOf<TFields extends FieldSchemas> = Flat<
  { [K in RequiredNames<TFields>]: Given<z.output<TFields[K]>> } & {
    [K in OptionalNames<TFields>]?: Given<z.output<TFields[K]>>;
  }
>;

/** What a step gives. */
export type OutputOf<TFields extends FieldSchemas> = Flat<
  { [K in RequiredNames<TFields>]: z.output<TFields[K]> } & {
    [K in OptionalNames<TFields>]?: z.output<TFields[K]>;
  }
>;
