import type { JsonSchema } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { isObject } from "../../internal/index.ts";
import { describeFields, jsonSchemaOf } from "../../signature/index.ts";
import { ApiError } from "../api-error/api-error.ts";
import type { ChatModel } from "./chat-model.ts";
import { growingJsonText } from "./growing-json-text.ts";
import { projected, schemaMisfit } from "./schema-fit.ts";

/** The whole output of a program as a client wants it: JSON, with a schema or without. */
export interface OutputFormat {
  readonly schema?: JsonSchema;
  /** What the client calls the schema. */
  readonly name?: string;
}

/** Writes outputs as a client wants them. */
export interface OutputWriter {
  whole(output: unknown): string;
  /**
   * Prints outputs that grow: see `growingJsonText`. Fields that the program is known to change
   * wait for the end, and with them those after them.
   */
  growing(): ReturnType<typeof growingJsonText>;
  /** Notes fields whose final value was another than the one that the streamed call gave. */
  changed(fields: readonly string[]): void;
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
): OutputWriter {
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
  return {
    whole: (output) => JSON.stringify(projected(shape, output)),
    growing: () => {
      const print = growingJsonText(shape);
      return (value, growing) =>
        print(growing === null ? value : withoutChanged(model, value), growing);
    },
    changed: (fields) => {
      changedBy.set(model, new Set([...(changedBy.get(model) ?? []), ...fields]));
    },
  };
}

/** The fields that each model of this process was seen to change. */
const changedBy = new WeakMap<ChatModel, ReadonlySet<string>>();

function withoutChanged(model: ChatModel, value: unknown): unknown {
  const changed = changedBy.get(model);
  if (changed === undefined || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !changed.has(name)));
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
