import type { Field, FieldShape } from "../signature/index.ts";

/** The JSON shape of a reply, with a placeholder rather than a sample for each value. */
export function outputShape(fields: readonly Field[]): string {
  const members = fields.map((field) => {
    const open: Opened = { definitions: field.definitions ?? {}, inside: new Set() };
    return memberShape(field, open, () => "<allowed value>");
  });
  return `{${members.join(",")}}`;
}

type LabelShape = (options: readonly string[]) => string;

interface Opened {
  readonly definitions: Readonly<Record<string, FieldShape>>;
  /** Recursive shapes that are being shown; further inside, their names stand for them. */
  readonly inside: ReadonlySet<string>;
}

function memberShape({ name, shape }: Field, open: Opened, label: LabelShape): string {
  return `${JSON.stringify(name)}:${valueShape(shape, open, label)}`;
}

// ax lists the values of a top-level field, but not those inside an object.
const listed: LabelShape = (options) => `<one of: ${options.join(", ")}>`;

function valueShape(shape: FieldShape, open: Opened, label: LabelShape): string {
  const inside = (part: FieldShape): string => valueShape(part, open, listed);
  switch (shape.kind) {
    case "text":
    case "image":
      return '"<string>"';
    case "label":
      return JSON.stringify(label(shape.options));
    case "number":
      return "<number>";
    case "boolean":
      return "<true or false>";
    case "constant":
      return shape.values.length === 1
        ? String(shape.values[0])
        : `<one of: ${shape.values.join(", ")}>`;
    case "list":
      return `[${valueShape(shape.items, open, label)}]`;
    case "tuple": {
      const rest = shape.rest === undefined ? [] : [`${inside(shape.rest)}...`];
      return `[${[...shape.items.map(inside), ...rest].join(",")}]`;
    }
    case "object":
      return `{${shape.fields.map((field) => memberShape(field, open, listed)).join(",")}}`;
    case "record":
      return `{"<string>":${inside(shape.values)}}`;
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
