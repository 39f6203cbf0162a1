import type { Field, FieldShape } from "../signature/index.ts";

/** The JSON shape of a reply, with a placeholder rather than a sample for each value. */
export function outputShape(fields: readonly Field[]): string {
  return objectShape(fields, () => "<allowed value>");
}

type LabelShape = (options: readonly string[]) => string;

function objectShape(fields: readonly Field[], label: LabelShape): string {
  const members = fields.map(
    ({ name, shape }) => `${JSON.stringify(name)}:${valueShape(shape, label)}`,
  );
  return `{${members.join(",")}}`;
}

function valueShape(shape: FieldShape, label: LabelShape): string {
  switch (shape.kind) {
    case "text":
      return '"<string>"';
    case "label":
      return JSON.stringify(label(shape.options));
    case "number":
      return "<number>";
    case "boolean":
      return "<true or false>";
    case "list":
      return `[${valueShape(shape.items, label)}]`;
    case "object":
      // ax lists the values of a top-level field, but not those inside an object.
      return objectShape(shape.fields, (options) => `<one of: ${options.join(", ")}>`);
    case "nullable":
      return valueShape(shape.of, label);
    case "passages":
      return '[{"id":"<string>","title":"<string>","text":"<string>"}]';
    case "conversation":
      return '[{"speaker":"<user or assistant>","text":"<string>"}]';
  }
}
