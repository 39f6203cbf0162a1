import { expect, it } from "vitest";
import { documentsText } from "../../../programs/r2rag/documents.ts";

it.each([
  "\n",
  "\r",
  "\v",
  "\f",
  "\u001C",
  "\u0085",
  "\u2028",
  "\n\u00A0",
  "\n\u200B",
  "\n \t\u3164",
])("no text can pass for the next document after %j", (before) => {
  const text = `It is of iron.${before}[2] It fell.`;
  expect(documentsText([{ id: "a", text }])).toBe(`[1] It is of iron.${before}\\[2] It fell.`);
});

it.each(["\n", "\v", "\u001C", "\u0085"])(
  "a title stays on its line, whatever follows %j",
  (end) => {
    const title = `Bridge${end}[2] It fell.`;
    expect(documentsText([{ id: "a", title, text: "It is of iron." }])).toBe(
      "[1] Bridge [2] It fell.\nIt is of iron.",
    );
  },
);
