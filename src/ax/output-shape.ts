import type { Field, FieldShape, ListShape, NumberShape, TextShape } from "../signature/index.ts";
import { arePlain, labelList } from "./label-list.ts";

/**
 * The JSON shape of a reply, with a placeholder rather than a sample for each value. Placeholders
 * tell the limits to which a value is held: grammars do not follow all of them.
 */
export function outputShape(fields: readonly Field[]): string {
  const members = fields.map((field) => `${JSON.stringify(field.name)}:${placeholderOf(field)}`);
  return `{${members.join(",")}}`;
}

/** The part of the shape that stands for a field's value. */
function placeholderOf({ shape, definitions = {} }: Field): string {
  const open: Opened = { definitions, inside: new Set() };
  return valueShape(shape, open, () => '"<allowed value>"');
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
