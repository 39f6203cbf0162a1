import type { JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { FieldSchemas, Signature } from "../../signature/index.ts";
import { fieldParser } from "../../signature/index.ts";

/**
 * The outputs that labels give in place of a call. They need no `reasoning`.
 *
 * @throws EspalierError `study-invalid` if the signature does not fit them
 */
export function goldOutputs(
  outputs: JsonObject,
  { name, fields, output }: Signature<FieldSchemas, FieldSchemas>,
  path: string,
): JsonObject {
  const given = "reasoning" in output ? { reasoning: "Given.", ...outputs } : outputs;
  const parsed = fieldParser(output, "strict")(given);
  if (parsed.ok) return parsed.value as JsonObject;
  throw new EspalierError({
    code: "study-invalid",
    problem: `The gold outputs of signature "${name}" do not match its fields: ${parsed.problems.join("; ")}`,
    where: `call path "${path}"`,
    expected: `fields ${fields.output.map((field) => `\`${field.name}\``).join(", ")}`,
    fix: "Correct `gold` in the study, or return null for examples whose labels do not say.",
  });
}
