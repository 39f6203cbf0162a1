import type { Json } from "../../contract/index.ts";

/**
 * The canonical description of a field, from which prompts, JSON schemas and content hashes are
 * made. It depends on no name that a schema library may change.
 */
export type FieldShape =
  | TextShape
  | { readonly kind: "label"; readonly options: readonly string[] }
  | NumberShape
  | { readonly kind: "boolean" }
  /** Literals that are not text. */
  | { readonly kind: "constant"; readonly values: readonly (number | boolean | null)[] }
  | ListShape
  | TupleShape
  | ObjectShape
  | RecordShape
  | UnionShape
  | { readonly kind: "nullable"; readonly of: FieldShape }
  /** Ranked ones carry a score. */
  | { readonly kind: "passages"; readonly ranked?: true }
  | { readonly kind: "conversation" }
  /** Only an input: an image's URL, or a `data:` URL with its content. */
  | { readonly kind: "image" }
  /** A recursive shape, by its name in the field's `definitions`. */
  | { readonly kind: "reference"; readonly to: string };

export interface TextShape {
  readonly kind: "text";
  readonly role?: string;
  /** In UTF-16 code units, as zod counts. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Bounds the JSON schema alone: a longer text is read. */
  readonly schemaMaxLength?: number;
  /** Source of a regular expression; the only possible flag is `u`, see `unicode`. */
  readonly pattern?: string;
  /** The pattern has the flag `u`. */
  readonly unicode?: true;
  /** zod's name for a format that has no pattern, such as `url`. */
  readonly format?: string;
}

export interface NumberShape {
  readonly kind: "number";
  readonly integer: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}

export interface ListShape {
  readonly kind: "list";
  readonly items: FieldShape;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface ObjectShape {
  readonly kind: "object";
  readonly fields: readonly Field[];
  /** Other keys are refused, not dropped. */
  readonly strict?: true;
}

/** A list whose places have shapes of their own. */
export interface TupleShape {
  readonly kind: "tuple";
  readonly items: readonly FieldShape[];
  /** What may follow; absent: nothing. */
  readonly rest?: FieldShape;
}

/** An object with keys of the model's choice. */
export interface RecordShape {
  readonly kind: "record";
  /** Always a text. */
  readonly keys: FieldShape;
  readonly values: FieldShape;
}

export interface UnionShape {
  readonly kind: "union";
  readonly of: readonly FieldShape[];
  /** The key of these objects that tells them apart. */
  readonly key?: string;
}

/** One named input or output. */
export interface Field {
  readonly name: string;
  /** What the field means, for the model; may be empty. */
  readonly description: string;
  readonly shape: FieldShape;
  readonly isOptional: boolean;
  /** Ids of the author's custom checks, since their code cannot be hashed. */
  readonly refinements: readonly string[];
  /** The value of an absent field. */
  readonly default?: Json;
  /** The recursive shapes of the field, by name. */
  readonly definitions?: Readonly<Record<string, FieldShape>>;
}

/**
 * A value as JSON for a reader. Dots stand for everything that varies: weak models copy any other
 * placeholder as the answer. What may stand there is told by `fieldType`.
 */
export function shownShape({ shape, definitions = {} }: Field): string {
  return jsonOf(shape, { definitions, inside: new Set() });
}

/** A field's type with its labels and limits, in words; empty for any text. */
export function fieldType({ shape, isOptional, definitions = {} }: Field): string {
  return optionalType(typeText(shape, { definitions, inside: new Set() }), isOptional);
}

interface Opened {
  readonly definitions: Readonly<Record<string, FieldShape>>;
  /** Recursive shapes that are being shown; further inside, their names stand for them. */
  readonly inside: ReadonlySet<string>;
}

/** The shape with a name, and what is open inside of it; `null` inside of itself. */
function target(to: string, open: Opened): [FieldShape, Opened] | null {
  const shape = open.definitions[to];
  if (shape === undefined || open.inside.has(to)) return null;
  return [shape, { ...open, inside: new Set([...open.inside, to]) }];
}

function jsonOf(shape: FieldShape, open: Opened): string {
  const inside = (part: FieldShape): string => jsonOf(part, open);
  switch (shape.kind) {
    case "text":
    case "label":
    case "image":
      return '"..."';
    case "number":
    case "boolean":
    case "constant":
    case "union":
      return "...";
    case "list":
      return `[${inside(shape.items)}]`;
    case "tuple":
      return `[${[...shape.items.map(inside), ...(shape.rest ? ["..."] : [])].join(",")}]`;
    case "object":
      return `{${shape.fields.map((field) => `${JSON.stringify(field.name)}:${inside(field.shape)}`).join(",")}}`;
    case "record":
      return `{"...":${inside(shape.values)}}`;
    case "nullable":
      return inside(shape.of);
    case "passages":
      return `[{"id":"...","title":"...","text":"..."${shape.ranked ? ',"score":...' : ""}}]`;
    case "conversation":
      return '[{"speaker":"...","text":"..."}]';
    case "reference": {
      const found = target(shape.to, open);
      return found === null ? "..." : jsonOf(...found);
    }
  }
}

const anyText = "text";

function typeText(shape: FieldShape, open: Opened): string {
  const inside = (part: FieldShape): string => typeText(part, open);
  const apart = (part: FieldShape): string => `(${inside(part)})`;
  switch (shape.kind) {
    case "text":
      return textType(shape);
    case "label":
      return oneOf(labelList(shape.options), shape.options);
    case "number":
      return `a ${shape.integer ? "whole " : ""}number${numberLimits(shape)}`;
    case "boolean":
      return "true or false";
    case "constant":
      return oneOf(shape.values.join(", "), shape.values);
    case "list": {
      const count = range(shape.minItems, shape.maxItems);
      return `a list${count && ` of ${count}`}, each ${inside(shape.items)}`;
    }
    case "tuple": {
      const rest = shape.rest === undefined ? [] : [`any number of ${apart(shape.rest)}`];
      return `a list of ${[...shape.items.map(apart), ...rest].join(", then ")}`;
    }
    case "object":
      return `an object of ${shape.fields.map((field) => memberType(field, open)).join(", ")}`;
    case "record": {
      const keys = inside(shape.keys);
      return `an object with keys of your choice${keys === anyText ? "" : ` (${keys})`}, each value ${inside(shape.values)}`;
    }
    case "union":
      return `either ${shape.of.map(apart).join(" or ")}`;
    case "nullable": {
      const of = inside(shape.of);
      return of === anyText ? "may be null" : `${of}; may be null`;
    }
    case "passages":
    case "image":
      return shape.kind;
    case "conversation":
      return "a conversation of user and assistant";
    case "reference": {
      const found = target(shape.to, open);
      return found === null ? `another ${shape.to}` : typeText(...found);
    }
  }
}

function memberType({ name, shape, isOptional }: Field, open: Opened): string {
  const inWords = optionalType(typeText(shape, open), isOptional);
  return inWords === "" ? `\`${name}\`` : `\`${name}\` (${inWords})`;
}

function optionalType(inWords: string, isOptional: boolean): string {
  return [
    ...(inWords === anyText ? [] : [inWords]),
    ...(isOptional ? ["may be missing"] : []),
  ].join("; ");
}

function oneOf(listed: string, { length }: readonly unknown[]): string {
  return `${length === 1 ? "always" : "one of:"} ${listed}`;
}

function textType({ minLength, maxLength, pattern, unicode, format }: TextShape): string {
  const length = range(minLength, maxLength);
  return [
    length === "" ? anyText : `${length} character${/(?:^| )1$/.test(length) ? "" : "s"}`,
    ...(pattern === undefined ? [] : [`matching /${pattern}/${unicode ? "u" : ""}`]),
    ...(format === undefined ? [] : [`in the format ${format}`]),
  ].join(" ");
}

function numberLimits(shape: NumberShape): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = shape;
  const within = range(minimum, maximum, "from ");
  const limits = [
    within === "" || within.startsWith("from ") ? within : `of ${within}`,
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(exclusiveMaximum === undefined ? [] : [`below ${exclusiveMaximum}`]),
    ...(multipleOf === undefined ? [] : [`a multiple of ${multipleOf}`]),
  ].filter((limit) => limit !== "");
  return limits.length === 0 ? "" : ` ${limits.join(", ")}`;
}

/** `2 to 5`, `at least 2`, `at most 5`, `5`; empty without a bound. */
function range(least: number | undefined, most: number | undefined, from = ""): string {
  if (least === undefined) return most === undefined ? "" : `at most ${most}`;
  if (most === undefined) return `at least ${least}`;
  return least === most ? `${least}` : `${from}${least} to ${most}`;
}

/** Whether a list of labels shows where each begins and ends; ax refuses others. */
export function arePlain(labels: readonly string[]): boolean {
  const isApart = new Set(labels.map((label) => label.toLowerCase())).size === labels.length;
  return (
    isApart && labels.every((label) => label !== "" && label === label.trim() && !edge.test(label))
  );
}

const edge = /[,|\p{Cc}\u2028\u2029]/u;

/** Labels for the model: as they are, or all of them as JSON where one needs quotes. */
function labelList(labels: readonly string[]): string {
  return (arePlain(labels) ? labels : labels.map((label) => JSON.stringify(label))).join(", ");
}
