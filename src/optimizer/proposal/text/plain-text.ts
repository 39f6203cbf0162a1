import { once } from "../../../internal/index.ts";

/**
 * Invisible characters that are not whitespace: zero-width marks, fillers, soft hyphens, controls.
 */
const hidden = once(() => /(?!\s)[\p{Default_Ignorable_Code_Point}\p{Cc}]|\uFEFF/gu);

/** A text as a reader sees it, with each stretch of whitespace as one space: for comparisons. */
export function plainText(text: string): string {
  // ASCII but for its control characters hides nothing.
  const visible = /[^\t-\r -~]/.test(text) ? text.replaceAll(hidden(), "") : text;
  // A Braille pattern without dots is blank, too.
  return visible.replaceAll(/[\s\u2800]+/g, " ").trim();
}

/** Sentences and items of lists, without spaces around them; a bullet or number belongs to none. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?;]["'”’)]?)\s+|(?<=[。！？])|\n+/u)
    .map((one) => one.replace(/^\s*(?:[-*•]|\d+[.)])\s+/u, "").trim())
    .filter((one) => one !== "");
}

/** The strings in a value, without the names of its fields. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((held) => textsIn(held));
}
