import type { Field, FieldShape } from "../signature/index.ts";

/** The JSON that a reply must be, with what stands for each value named rather than chosen. */
export function outputShape(fields: readonly Field[]): string {
  const members = fields.map(({ name, shape }) => `${JSON.stringify(name)}:${valueShape(shape)}`);
  return `{${members.join(",")}}`;
}

function valueShape(shape: FieldShape): string {
  switch (shape.kind) {
    case "text":
      return '"<string>"';
    case "label":
      return '"<allowed value>"';
    case "number":
      return "<number>";
    case "boolean":
      return "<true or false>";
    case "list":
      return `[${valueShape(shape.items)}]`;
    case "object":
      return outputShape(shape.fields);
    case "nullable":
      return valueShape(shape.of);
    case "passages":
      return '[{"id":"<string>","title":"<string>","text":"<string>"}]';
    case "conversation":
      return '[{"speaker":"<user or assistant>","text":"<string>"}]';
  }
}
