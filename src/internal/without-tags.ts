import { unseenMarks } from "./unseen-marks.ts";

/**
 * The marks around texts in a prompt. No text can hold one: in every text the `<` of whatever resembles
 * a tag of the prompt is written `&lt;`, which depends on nothing but the text.
 */
export function withoutTags(text: string, escape: (angle: string) => string = asEntity): string {
  return text.replaceAll(tagLike, escape);
}

function asEntity(): string {
  return "&lt;";
}

/** Our own tags, and those that ax puts around the sections of a system message. */
const names = [
  "passage",
  "turn",
  "text",
  "identity",
  "input_fields",
  "output_fields",
  "task_definition",
  "formatting_rules",
];

/** A name in any width, with marks between its letters: neither keeps a model from reading it. */
function readAs(name: string): string {
  return Array.from(name, (letter) => `[${letter}${wide(letter)}]`).join(`[${unseenMarks}]*`);
}

/** The full-width form of a character of ASCII. */
function wide(character: string): string {
  return String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfe_e0);
}

// White space, slashes and unseen marks may stand before the name, as they do not hide a tag either.
const tagLike = new RegExp(
  `[<＜﹤](?=[\\s\\p{Cc}${unseenMarks}/／\\\\＼]*(?:${names.map(readAs).join("|")})(?![\\p{L}\\p{N}_:-]))`,
  "giu",
);
