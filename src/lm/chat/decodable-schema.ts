import type { Json, JsonObject, JsonSchema } from "../../contract/index.ts";
import { portablePattern } from "./portable-pattern.ts";

/**
 * The part of a JSON schema that the grammars of xgrammar and of llguidance (vLLM 0.32) both decode
 * correctly. The reply is checked against the whole schema anyway.
 *
 * - Lengths of strings are dropped unless `boundedStrings`: xgrammar turns a string with a length
 *   into one without escapes, which can hold no quote, line break or backslash (its issue 800).
 * - Patterns are rewritten or dropped, see `portablePattern`.
 * - Numbers are bounded by the safe integers, since a grammar allows any number of digits, and need
 *   be no multiple, which vLLM refuses.
 */
export function decodableSchema(
  schema: JsonSchema,
  { boundedStrings }: { readonly boundedStrings: boolean },
): JsonSchema {
  const decodable = (part: JsonSchema): JsonSchema => {
    if (part["type"] === "string") return decodableString(part, boundedStrings);
    if (part["type"] === "integer" || part["type"] === "number") return boundedNumber(part);
    return {
      ...part,
      ...Object.fromEntries([
        ...named.flatMap((key) =>
          isObject(part[key]) ? [[key, mapValues(part[key], decodable)] as const] : [],
        ),
        ...single.flatMap((key) =>
          isObject(part[key]) ? [[key, decodable(part[key])] as const] : [],
        ),
        ...listed.flatMap((key) =>
          Array.isArray(part[key]) ? [[key, part[key].map(decodable)] as const] : [],
        ),
      ]),
    };
  };
  return decodable(schema);
}

/** The keys under which a schema holds others: by name, one, or a list of them. */
const named = ["properties", "$defs"] as const;
const single = ["items", "additionalProperties"] as const;
const listed = ["anyOf", "prefixItems"] as const;

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function decodableString(
  { minLength, maxLength, pattern, ...others }: JsonSchema,
  boundedStrings: boolean,
): JsonSchema {
  const sent = typeof pattern === "string" ? portablePattern(pattern) : undefined;
  // A grammar is compiled from the pattern or from the lengths, not from both.
  if (sent !== undefined) return { ...others, pattern: sent };
  if (!boundedStrings) return others;
  return {
    ...others,
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

function boundedNumber(schema: JsonSchema): JsonSchema {
  const { multipleOf: _multipleOf, ...part } = schema;
  const hasMinimum = "minimum" in part || "exclusiveMinimum" in part;
  const hasMaximum = "maximum" in part || "exclusiveMaximum" in part;
  return {
    ...part,
    ...(!hasMinimum && { minimum: Number.MIN_SAFE_INTEGER }),
    ...(!hasMaximum && { maximum: Number.MAX_SAFE_INTEGER }),
  };
}

const asObject = (value: Json): JsonObject => value as JsonObject;

function mapValues(object: JsonObject, change: (value: JsonSchema) => JsonSchema): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(asObject(value))]),
  );
}
