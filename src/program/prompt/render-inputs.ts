import type { JsonObject, Passage, Turn } from "../../contract/index.ts";
import {
  getOwn,
  hasLines,
  lineEnds,
  lineOrBlock,
  withoutChatTokens,
  withoutTags,
} from "../../internal/index.ts";
import type { Field, FieldShape } from "../../signature/index.ts";
import { isImage } from "../../signature/index.ts";
import type { ImageMarks } from "./image-marks.ts";

/**
 * Inputs as text; `"all"` also includes absent optional ones, as empty. `images` marks the place of
 * each picture; without it there are none.
 */
export function renderInputs(
  fields: readonly Field[],
  values: JsonObject,
  which: "present" | "all" = "present",
  {
    keepsChatTokens = false,
    images,
  }: {
    readonly keepsChatTokens?: boolean;
    readonly images?: ImageMarks | undefined;
  } = {},
): Record<string, string> {
  const rendered = (field: Field, value: unknown): string => {
    if (images !== undefined && isImage(field)) return images.mark(value);
    const shown = renderValue(field.shape, value, { keepsChatTokens });
    return images?.without(shown) ?? shown;
  };
  return Object.fromEntries(
    fields
      .filter(({ name }) => which === "all" || getOwn(values, name) !== undefined)
      .map((field) => [field.name, rendered(field, getOwn(values, field.name))]),
  );
}

/** Shown in a prompt for an empty text or list, so that the model sees that it is empty. */
const emptyValue = "(empty)";

/**
 * Renders an input for the model: single-line text unchanged; longer text, passages and turns
 * inside tags that no text can close; lists of texts one per line; the rest as JSON on one line.
 */
function renderValue(
  shape: FieldShape,
  value: unknown,
  { keepsChatTokens }: { readonly keepsChatTokens: boolean },
): string {
  const plain = keepsChatTokens ? (text: string) => text : withoutChatTokens;
  const rendered = renderShape(shape, value, {
    text: (text) => withoutTags(plain(text)),
    json: (json) =>
      withoutTags(plain(JSON.stringify(json)), unicodeEscape).replaceAll(unescaped, unicodeEscape),
  });
  return rendered.trim() === "" ? emptyValue : rendered;
}

interface Cleaning {
  text(text: string): string;
  json(value: unknown): string;
}

function renderShape(shape: FieldShape, value: unknown, clean: Cleaning): string {
  if (value === null || value === undefined) return "";
  switch (shape.kind) {
    case "passages":
      return (value as readonly Passage[])
        .map(({ title = "", text }, index) =>
          passageTag(index + 1, clean.text(title), clean.text(text)),
        )
        .join("\n");
    case "conversation":
      return (value as readonly Turn[])
        .map(({ speaker, text }) => turnTag(speaker, clean.text(text)))
        .join("\n");
    case "list":
      return shape.items.kind === "text" || shape.items.kind === "label"
        ? (value as readonly string[])
            .map((item, index) => `${index + 1}. ${lineOrBlock(clean.text(item))}`)
            .join("\n")
        : clean.json(value);
    case "nullable":
      return renderShape(shape.of, value, clean);
    case "object":
      return clean.json(value);
    default:
      if (typeof value !== "string") return clean.json(value);
      return value.trim() === "" ? "" : lineOrBlock(clean.text(value));
  }
}

/** Line terminators that JSON does not escape. */
const unescaped = /[\u0085\u2028\u2029]/gu;

function unicodeEscape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}

function turnTag(speaker: string, text: string): string {
  const shown = hasLines(text) ? `\n${text}\n` : text;
  return `<turn speaker="${attribute(speaker)}">${shown}</turn>`;
}

function passageTag(number: number, title: string, text: string): string {
  const named = title.trim() === "" ? "" : ` title="${attribute(title)}"`;
  return `<passage number="${number}"${named}>\n${text}\n</passage>`;
}

function attribute(value: string): string {
  return value.replaceAll(lineBreaks, " ").trim().replaceAll('"', "&quot;");
}

const lineBreaks = new RegExp(`[${lineEnds}]+`, "gu");
