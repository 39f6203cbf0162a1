import type { Json, JsonObject, JsonSchema } from "../../../../src/contract/index.ts";
import type { TextReader } from "../text/index.ts";
import { textRoleOf } from "./text-role.ts";
import { withoutReferences } from "./without-references.ts";
import type { OutputField } from "./task.ts";

/** Top-level properties of the reply's schema, in the order to write them. */
export function readOutputs(
  schema: JsonSchema | undefined,
  reader: TextReader,
): readonly OutputField[] {
  const held = schema?.["$defs"];
  const definitions = isObject(held) ? held : {};
  return propertiesOf(schema).map(([key, property]) => {
    const description = typeof property["description"] === "string" ? property["description"] : "";
    return {
      key,
      description,
      schema: withoutReferences(property, definitions) ?? property,
      role: textRoleOf(description === "" ? key : description, reader),
    };
  });
}

/** Properties of an object schema; empty for any other schema. */
export function propertiesOf(
  schema: JsonSchema | undefined,
): readonly (readonly [string, JsonSchema])[] {
  const properties = schema?.["properties"];
  return isObject(properties)
    ? Object.entries(properties).flatMap(([key, property]) =>
        isObject(property) ? [[key, property] as const] : [],
      )
    : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
