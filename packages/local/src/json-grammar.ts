import type { Json, JsonObject, JsonSchema } from "../../../src/contract/index.ts";

/**
 * The grammar (GBNF, llama.cpp's) of the JSON texts that fit a schema, without blanks, as the
 * prompt's examples are. It takes what signatures make: objects, records, lists, tuples, texts with
 * lengths, labels, constants, numbers, unions, references. Patterns and bounds of numbers are left
 * out; every reply is checked against the whole schema anyway. Integers stay exact in a double, and
 * numbers finite.
 *
 * Keys come in the schema's order. A key that is not required may be left out.
 *
 * @param around texts before and after the JSON
 */
export function jsonGrammar(
  schema: JsonSchema,
  around: { readonly before?: string; readonly after?: string } = {},
): string {
  const rules = new Map<string, string>(Object.entries(shared));
  const definitions = asObject(schema["$defs"]);
  const named = (name: string, body: string): string => {
    rules.set(name, body);
    return name;
  };
  let count = 0;
  const fresh = (body: string): string => named(`r${++count}`, body);

  const ruleOf = (part: JsonSchema): string => {
    const { $ref: reference, enum: options, type } = part;
    if (typeof reference === "string") return referenceRule(reference);
    if ("const" in part) return literal(JSON.stringify(part["const"]));
    if (Array.isArray(options)) return choice(options.map((one) => literal(JSON.stringify(one))));
    const members = part["anyOf"] ?? part["oneOf"];
    if (Array.isArray(members)) return choice(members.map((one) => ruleOf(asObject(one))));
    if (Array.isArray(type)) return choice(type.map((one: Json) => ruleOf({ ...part, type: one })));
    if (type === "object") return objectRule(part);
    if (type === "array") return arrayRule(part);
    if (type === "string") return textRule(part);
    return (typeof type === "string" && plain[type]) || "value";
  };

  const choice = (alternatives: readonly string[]): string =>
    alternatives.length === 1 ? (alternatives[0] ?? "") : fresh(alternatives.join(" | "));

  const referenceRule = (reference: string): string => {
    const key = reference.replace(/^#\/\$defs\//, "");
    const name = `d-${key.replaceAll(/[^A-Za-z0-9]/g, (sign) => `-${sign.codePointAt(0)}-`)}`;
    if (!rules.has(name)) {
      named(name, "");
      named(name, ruleOf(asObject(definitions[key])));
    }
    return name;
  };

  const keyRule = (part: JsonSchema): string =>
    "propertyNames" in part ? ruleOf(asObject(part["propertyNames"])) : "string";

  const objectRule = (part: JsonSchema): string => {
    const properties = Object.entries(asObject(part["properties"]));
    const required = new Set(asList(part["required"]));
    const pair = (name: string, value: Json): string =>
      `${literal(`${JSON.stringify(name)}:`)} ${ruleOf(asObject(value))}`;
    const pairs = properties.map(([name, value]) => ({
      text: fresh(pair(name, value)),
      isRequired: required.has(name),
    }));
    const more = part["additionalProperties"];
    if (pairs.length === 0) {
      if (more === false || more === undefined) return literal("{}");
      const entry = fresh(`${keyRule(part)} ":" ${ruleOf(asObject(more))}`);
      return fresh(`"{" ( ${entry} ( "," ${entry} )* )? "}"`);
    }
    // What may follow key k, where one was written before it, and where none was.
    let [after, first] = ["", ""];
    for (const { text, isRequired } of pairs.toReversed()) {
      const next = { after, first };
      after = isRequired
        ? fresh(`"," ${text} ${next.after}`)
        : fresh(`"," ${text} ${next.after} | ${next.after || '""'}`);
      first = isRequired
        ? fresh(`${text} ${next.after}`)
        : fresh(`${text} ${next.after} | ${next.first || '""'}`);
    }
    return fresh(`"{" ${first} "}"`);
  };

  const arrayRule = (part: JsonSchema): string => {
    const places = asList(part["prefixItems"]).map((place) => ruleOf(asObject(place)));
    const items = part["items"];
    const rest = items === false ? undefined : ruleOf(asObject(items));
    const isOpen = items !== undefined || places.length === 0;
    const minimum = Math.max(0, asNumber(part["minItems"], 0) - places.length);
    const maximum = asNumber(part["maxItems"], Infinity) - places.length;
    if (rest === undefined || !isOpen || maximum <= 0) {
      return fresh(`"[" ${places.join(` "," `)} "]"`);
    }
    // Rules of their own: llama.cpp limits what is inside of a repetition times how often it comes.
    const more = fresh(`"," ${rest}`);
    if (places.length > 0) {
      return fresh(`"[" ${places.join(` "," `)} ${more}${counted(minimum, maximum)} "]"`);
    }
    const some = fresh(`${rest} ${more}${counted(Math.max(0, minimum - 1), maximum - 1)}`);
    return fresh(minimum === 0 ? `"[" ( ${some} )? "]"` : `"[" ${some} "]"`);
  };

  const textRule = ({ minLength, maxLength }: JsonSchema): string => {
    const [minimum, maximum] = [asNumber(minLength, 0), asNumber(maxLength, Infinity)];
    return fresh(`"\\"" char${counted(minimum, maximum)} "\\""`);
  };

  const root = ruleOf(schema);
  const lines = [...rules].map(([name, body]) => `${name} ::= ${body}`);
  return [
    `root ::= ${literal(around.before ?? "")} ${root} ${literal(around.after ?? "")}`,
    ...lines,
  ].join("\n");
}

const shared: Readonly<Record<string, string>> = {
  char: String.raw`[^"\\\x7F\x00-\x1F] | "\\" ( ["\\/bfnrt] | "u" [0-9a-fA-F]{4} )`,
  string: String.raw`"\"" char* "\""`,
  integer: `"-"? ( "0" | [1-9] [0-9]{0,14} )`,
  number: `integer ( "." [0-9]{1,16} )? ( [eE] [-+]? [0-9]{1,2} )?`,
  boolean: `"true" | "false"`,
  object: `"{" ( string ":" value ( "," string ":" value )* )? "}"`,
  array: `"[" ( value ( "," value )* )? "]"`,
  value: `object | array | string | number | boolean | "null"`,
};

const plain: Readonly<Record<string, string>> = {
  integer: "integer",
  number: "number",
  boolean: "boolean",
  null: `"null"`,
};

/** A text as GBNF writes it. */
function literal(text: string): string {
  return JSON.stringify(text);
}

/**
 * Repetitions. llama.cpp writes them out, and refuses 2,000: for so many, the bound is one less,
 * and beyond it nothing bounds them.
 */
function counted(minimum: number, maximum: number): string {
  const least = Math.min(minimum, maxCounted);
  if (minimum > maxCounted || maximum > maxCounted + 1) return least === 0 ? "*" : `{${least},}`;
  return `{${least},${Math.min(maximum, maxCounted)}}`;
}

const maxCounted = 1_999;

function asObject(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function asNumber(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
