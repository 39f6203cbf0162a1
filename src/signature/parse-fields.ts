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
 * Returns a function that checks named values against their fields. Unknown names are errors in
 * `"strict"` mode (for callers' values) and dropped in `"lenient"` mode (for models' replies, where
 * `null` for an optional field also counts as absent, at any depth). Each problem is one short
 * sentence that names the field. At most five are listed, with the number of others, since a reply
 * may hold thousands.
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
      : { ok: false, problems: sentencesOf(result.error.issues) };
  };
}

const mostShown = 5;
/** In UTF-16 code units: a problem may quote names that the model invented. */
const longestProblem = 400;

function sentencesOf(issues: readonly z.core.$ZodIssue[]): readonly string[] {
  const shown = issues.slice(0, mostShown).map(sentenceOf);
  const left = issues.length - shown.length;
  return left === 0 ? shown : [...shown, `and ${left} more ${left === 1 ? "problem" : "problems"}`];
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join(".");
  const whole = path === "" ? issue.message : `\`${path}\`: ${issue.message}`;
  return whole.length <= longestProblem
    ? whole
    : `${whole.slice(0, longestProblem).toWellFormed()}...`;
}
