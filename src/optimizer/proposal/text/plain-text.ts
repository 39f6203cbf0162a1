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
