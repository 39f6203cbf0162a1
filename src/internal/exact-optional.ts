import type { z } from "zod";

/**
 * A property that may be left out, and is never `undefined` in the type. For what is read from
 * JSON, which has no `undefined`: at run time one that is there passes. Stands for zod's
 * `exactOptional()`, which the oldest zod that may be installed does not have.
 */
export function exactOptional<TSchema extends z.ZodType>(schema: TSchema): ExactOptional<TSchema> {
  return schema.optional() as unknown as ExactOptional<TSchema>;
}

type ExactOptional<TSchema extends z.ZodType> = z.ZodType<
  z.output<TSchema>,
  z.input<TSchema>,
  z.core.$ZodTypeInternals<z.output<TSchema>, z.input<TSchema>> & {
    readonly optin: "optional";
    readonly optout: "optional";
  }
>;
