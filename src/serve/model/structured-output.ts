import type { JsonSchema } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { describeFields, jsonSchemaOf } from "../../signature/index.ts";
import { ApiError } from "../api-error/api-error.ts";
import type { ChatModel } from "./chat-model.ts";
import { projected, schemaMisfit } from "./schema-fit.ts";

/** The whole output of a program as a client wants it: JSON, with a schema or without. */
export interface OutputFormat {
  readonly schema?: JsonSchema;
  /** What the client calls the schema. */
  readonly name?: string;
}

/**
 * Writes outputs of the model's program as JSON, with the properties that the schema allows.
 *
 * @param param the parameter with the schema, for the error
 * @throws ApiError 400, naming the first place where the program's outputs may not match
 */
export function structuredOutput(
  model: ChatModel,
  { schema }: OutputFormat,
  param: string,
): (output: unknown) => string {
  const given = outputSchema(model);
  const problem =
    given === null
      ? "the output of this model has no JSON schema"
      : schema === undefined
        ? null
        : schemaMisfit(schema, given);
  if (problem !== null) {
    const message = `\`${param}\`: this model cannot answer in this format: ${problem}.`;
    throw new ApiError(400, "unsupported_parameter", message, { param });
  }
  const shape = schema ?? given ?? {};
  return (output) => JSON.stringify(projected(shape, output));
}

/** `null` if a field cannot be described. */
function outputSchema({ program: { name, output } }: ChatModel): JsonSchema | null {
  try {
    return jsonSchemaOf(describeFields(output, `program "${name}", output`));
  } catch (error) {
    if (EspalierError.isInstance(error)) return null;
    throw error;
  }
}
