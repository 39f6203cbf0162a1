import type { Json, JsonObject, JsonSchema } from "../../contract/index.ts";

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

/**
 * A pattern that both of vLLM's grammar compilers take and that generates only texts the original
 * accepts; `undefined` if there is none. Tried on vLLM 0.32 with xgrammar 0.2.8 and llguidance
 * 1.7.6: look-around, `\b`, `\p{L}`, back references and counts above 128 are errors in one or both
 * (a 500 in xgrammar), and xgrammar writes a quote or control character that `.`, `[^a]` or `\s`
 * allows into the JSON as it is.
 *
 * So the pattern may use only characters other than quotes, backslashes and controls, `\d` and `\w`
 * (sent as ASCII classes, since llguidance reads them as Unicode), classes, groups, `|` and
 * quantifiers.
 */
export function portablePattern(pattern: string): string | undefined {
  const body = pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "");
  let sent = "";
  for (let rest = body; rest !== "";) {
    const [token = ""] = portableToken.exec(rest) ?? [];
    if (token === "") return undefined;
    const written = token.startsWith("[") ? portableClass(token) : portableAtom(token);
    if (written === undefined) return undefined;
    sent += written;
    rest = rest.slice(token.length);
  }
  return `^(?:${sent})$`;
}

const portableToken =
  /^(?:\\.|\[(?:\\.|[^\]\\])+\]|\(\?:|\((?!\?)|[)|]|[*+?]|\{\d+(?:,\d*)?\}|[^\\[\](){}|*+?^$."\p{Cc}])/su;

/** Characters that an escape merely quotes. */
const quoted = /^\\[.*+?^$|/(){}[\]-]$/;

function portableAtom(token: string): string | undefined {
  if (token.startsWith("{")) {
    const counts = (token.match(/\d+/g) ?? []).map(Number);
    return Math.max(...counts) <= maxRepetitions ? token : undefined;
  }
  if (!token.startsWith("\\")) return token;
  const range = ranges[token];
  if (range !== undefined) return `[${range}]`;
  return quoted.test(token) ? token : undefined;
}

const maxRepetitions = 128;

const ranges: Readonly<Record<string, string>> = { "\\d": "0-9", "\\w": "A-Za-z0-9_" };

function portableClass(token: string): string | undefined {
  const inside = token.slice(1, -1);
  if (inside.startsWith("^") || oddRange.test(inside)) return undefined;
  const parts = inside.match(/\\.|[^\\]/gsu) ?? [];
  const written = parts.map((part) => {
    if (!part.startsWith("\\")) return /["\p{Cc}]/u.test(part) ? undefined : part;
    return ranges[part] ?? (quoted.test(part) ? part : undefined);
  });
  if (written.includes(undefined)) return undefined;
  return isPlainRange(inside) ? `[${written.join("")}]` : undefined;
}

/** A range with an escaped end, and set operations. */
const oddRange = /\\[dw]-.|[^\\]-\\|--|&&/u;

/** Whether no range spans a quote or a backslash: ` -~` does. */
function isPlainRange(inside: string): boolean {
  return [...inside.matchAll(/([^\\])-([^\\])/gu)].every(([, from = "", to = ""]) =>
    ['"', "\\"].every((special) => special < from || special > to),
  );
}
