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
  /** An input alone: a picture's address or `data:` URL. */
  | { readonly kind: "image" }
  /** A recursive shape, by its name in the field's `definitions`. */
  | { readonly kind: "reference"; readonly to: string };

export interface TextShape {
  readonly kind: "text";
  readonly role?: string;
  /** In UTF-16 code units, as zod counts. */
  readonly minLength?: number;
  readonly maxLength?: number;
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

/** A value's shape for a reader: JSON with placeholders that tell types and limits. */
export function shownShape({ shape, definitions = {} }: Field, label: LabelShape = listed): string {
  return valueShape(shape, { definitions, inside: new Set() }, label);
}

type LabelShape = (options: readonly string[]) => string;

interface Opened {
  readonly definitions: Readonly<Record<string, FieldShape>>;
  /** Recursive shapes that are being shown; further inside, their names stand for them. */
  readonly inside: ReadonlySet<string>;
}

// ax lists the values of a top-level field, but not those inside an object.
const listed: LabelShape = (options) =>
  arePlain(options)
    ? JSON.stringify(`<one of: ${options.join(", ")}>`)
    : `<one of: ${labelList(options)}>`;

/** A field's type with its labels and limits, in words or as JSON; empty for any text. */
export function fieldType(field: Field): string {
  const { shape, isOptional } = field;
  const of = shape.kind === "nullable" ? shape.of : shape;
  const isNamed = of.kind === "passages" || of.kind === "conversation" || of.kind === "image";
  const shown = isNamed ? of.kind : shownShape(field).replace(/^"?<([^<>]*)>"?$/, "$1");
  return [
    ...(shown === "string" ? [] : [shown]),
    ...(shape.kind === "nullable" ? ["may be null"] : []),
    ...(isOptional ? ["may be missing"] : []),
  ].join(", ");
}

function valueShape(shape: FieldShape, open: Opened, label: LabelShape): string {
  const inside = (part: FieldShape): string => valueShape(part, open, listed);
  switch (shape.kind) {
    case "text":
      return `"<string${textLimits(shape)}>"`;
    case "image":
      return '"<string>"';
    case "label":
      return label(shape.options);
    case "number":
      return `<${shape.integer ? "integer" : "number"}${numberLimits(shape)}>`;
    case "boolean":
      return "<true or false>";
    case "constant":
      return shape.values.length === 1
        ? String(shape.values[0])
        : `<one of: ${shape.values.join(", ")}>`;
    case "list":
      return `[${valueShape(shape.items, open, label)}${listLimits(shape)}]`;
    case "tuple": {
      const rest = shape.rest === undefined ? [] : [`${inside(shape.rest)}...`];
      return `[${[...shape.items.map(inside), ...rest].join(",")}]`;
    }
    case "object":
      return `{${shape.fields.map((field) => `${JSON.stringify(field.name)}:${inside(field.shape)}`).join(",")}}`;
    case "record":
      return `{${inside(shape.keys)}:${inside(shape.values)}}`;
    case "union":
      return `<either ${shape.of.map(inside).join(" or ")}>`;
    case "nullable":
      return valueShape(shape.of, open, label);
    case "passages":
      return '[{"id":"<string>","title":"<string>","text":"<string>"}]';
    case "conversation":
      return '[{"speaker":"<user or assistant>","text":"<string>"}]';
    case "reference": {
      const target = open.definitions[shape.to];
      if (target === undefined || open.inside.has(shape.to)) return `<another ${shape.to}>`;
      const inner = { ...open, inside: new Set([...open.inside, shape.to]) };
      return valueShape(target, inner, listed);
    }
  }
}

function textLimits({ minLength, maxLength, pattern, unicode, format }: TextShape): string {
  const length = range(minLength, maxLength);
  return [
    ...(length === "" ? [] : [` of ${counted(length, "character")}`]),
    ...(pattern === undefined ? [] : [` that matches /${pattern}/${unicode ? "u" : ""}`]),
    ...(format === undefined ? [] : [` in the format ${format}`]),
  ].join("");
}

function listLimits({ minItems, maxItems }: ListShape): string {
  const count = range(minItems, maxItems);
  return count === "" ? "" : `,<${counted(count, "item")}>`;
}

function numberLimits(shape: NumberShape): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = shape;
  const limits = [
    range(minimum, maximum, "from "),
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

function counted(range: string, noun: string): string {
  return `${range} ${noun}${/(?:^| )1$/.test(range) ? "" : "s"}`;
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
export function labelList(labels: readonly string[]): string {
  return (arePlain(labels) ? labels : labels.map((label) => JSON.stringify(label))).join(", ");
}
