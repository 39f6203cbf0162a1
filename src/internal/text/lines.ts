import { once } from "./once.ts";

/** All line terminators of Unicode and Python, as the inside of a character class. */
export const lineEnds: string = String.raw`\n\r\v\f\u001C-\u001E\u0085\u2028\u2029`;

const lineEnd = new RegExp(`[${lineEnds}]`, "u");

export function hasLines(text: string): boolean {
  return lineEnd.test(text);
}

/** Renders a text that has a line to itself: unchanged, or inside a tag if it has several lines. */
export function lineOrBlock(text: string): string {
  return hasLines(text) ? `<text>\n${text}\n</text>` : text;
}

const whiteSpace = new RegExp(`[\\s${lineEnds}]+`, "gu");

/**
 * A text on one line, with single spaces, for a frame whose lines have meaning: the text cannot add
 * a line to it.
 */
export function oneLine(text: string): string {
  return text.replaceAll(whiteSpace, " ").trim();
}

/**
 * Characters that are invisible or combine with the preceding letter, as the inside of a character
 * class with the flag `u`: a model reads a word through them, so an expression must too.
 */
const unseenMarks: string = String.raw`\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800`;

/** Characters before an opening that do not keep a model from recognizing it. */
const blank = String.raw`[\s\p{Cc}${unseenMarks}]`;

/**
 * Returns a function that puts a backslash before each line of a text that begins like a part of
 * the surrounding frame, as Markdown escapes a heading; the first line counts only if the text
 * starts on a new line of the frame.
 *
 * @param opening an expression that matches the beginning of a part, with the flag `u`
 */
export function lineEscaper(
  opening: string,
): (text: string, options?: { readonly isFirstLineInside?: boolean }) => string {
  // A run of blanks is matched only from its start, so that time stays linear in the text.
  const openings = new RegExp(`(?:^${blank}*|(?<!${blank})${blank}+)(?=${opening})`, "gu");
  return (text, { isFirstLineInside = false } = {}) =>
    text.replaceAll(openings, (before: string, index: number) =>
      hasLines(before) || (index === 0 && !isFirstLineInside) ? `${before}\\` : before,
    );
}

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
