import { z } from "zod";
import type { FieldSchemas, OutputOf } from "./field-values.ts";
import { withoutNulls } from "./without-nulls.ts";

export type Parsed<TValue> =
  | { readonly ok: true; readonly value: TValue }
  | { readonly ok: false; readonly problems: readonly string[] };

export type FieldParser<TFields extends FieldSchemas> = (
  values: unknown,
) => Parsed<OutputOf<TFields>>;

/**
 * Makes the function that checks named values against their fields. Unknown names are refused in
 * `"strict"` mode (what a caller passes) and dropped in `"lenient"` mode (what a model wrote, where
 * `null` for an optional field also counts as absent, at any depth). Each problem is one sentence that names the
 * field.
 */
export function fieldParser<TFields extends FieldSchemas>(
  fields: TFields,
  mode: "strict" | "lenient",
): FieldParser<TFields> {
  const schema = mode === "strict" ? z.strictObject({ ...fields }) : z.object({ ...fields });
  return (values) => {
    const result = schema.safeParse(mode === "strict" ? values : withoutNulls(values, schema));
    return result.success
      ? { ok: true, value: result.data as OutputOf<TFields> }
      : { ok: false, problems: result.error.issues.map(sentenceOf) };
  };
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join(".");
  return path === "" ? issue.message : `\`${path}\`: ${issue.message}`;
}
