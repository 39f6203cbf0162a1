import type { Passage, Turn } from "../../contract/index.ts";
import type { FieldShape } from "../../signature/index.ts";

/** Shown in a prompt for an empty text or list, so that the model sees that it is empty. */
const emptyValue = "(empty)";

/**
 * Renders an input in layout 1: text unchanged, passages as numbered blocks, turns and lists one
 * per line, the rest as JSON. Nothing marks the end of a text; this layout remains for artifacts
 * compiled with it.
 */
export function renderValueInLayout1(shape: FieldShape, value: unknown): string {
  const rendered = renderShape(shape, value);
  return rendered.trim() === "" ? emptyValue : rendered;
}

function renderShape(shape: FieldShape, value: unknown): string {
  if (value === null || value === undefined) return "";
  switch (shape.kind) {
    case "passages":
      return (value as readonly Passage[]).map(renderPassage).join("\n\n");
    case "conversation":
      return (value as readonly Turn[])
        .map(({ speaker, text }) => `${speaker}: ${text}`)
        .join("\n");
    case "list":
      return shape.items.kind === "text" || shape.items.kind === "label"
        ? (value as readonly string[]).map((item, index) => `${index + 1}. ${item}`).join("\n")
        : JSON.stringify(value);
    case "nullable":
      return renderShape(shape.of, value);
    case "object":
      return JSON.stringify(value);
    default:
      return typeof value === "string" ? value : JSON.stringify(value);
  }
}

function renderPassage({ title, text }: Passage, index: number): string {
  const head = `[${index + 1}]`;
  return title === undefined || title === "" ? `${head} ${text}` : `${head} ${title}\n${text}`;
}
