import { once } from "./once.ts";
import { unseenMarks } from "./lines.ts";

/**
 * Escapes the tags that mark texts in a prompt, so that no text can contain one: writes `&lt;` for
 * the `<` of everything that resembles such a tag. The result depends only on the text.
 */
export function withoutTags(text: string, escape: (angle: string) => string = asEntity): string {
  // Most texts have none of these characters.
  return /[<＜﹤]/.test(text) ? text.replaceAll(tagLike(), escape) : text;
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

/**
 * Matches a name in any width, with invisible marks between its letters: a model still reads both.
 */
function readAs(name: string): string {
  return Array.from(name, (letter) => `[${letter}${wide(letter)}]`).join(`[${unseenMarks}]*`);
}

/** The full-width form of an ASCII character. */
function wide(character: string): string {
  return String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfe_e0);
}

// White space, slashes and invisible marks may precede the name, since they do not hide a tag
// either.
const tagLike = once(
  () =>
    new RegExp(
      `[<＜﹤](?=[\\s\\p{Cc}${unseenMarks}/／\\\\＼]*(?:${names.map(readAs).join("|")})(?![\\p{L}\\p{N}_:-]))`,
      "giu",
    ),
);
