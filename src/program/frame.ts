/**
 * The marks around texts in a prompt. No text can hold one: in every text the `<` of whatever resembles
 * a tag of the prompt is written `&lt;`, which depends on nothing but the text.
 */
export function withoutTags(text: string, escape = "&lt;"): string {
  return text.includes("<") ? text.replaceAll(tagLike, escape) : text;
}

/** Our own tags, and those that ax puts around the sections of a system message. */
const names =
  "passage|turn|text|identity|input_fields|output_fields|task_definition|formatting_rules";

// White space and invisible marks may stand between, as they do not keep a model from seeing a tag.
const tagLike = new RegExp(`<(?=[\\s\\p{Cf}/\\\\]*(?:${names})(?![\\p{L}\\p{N}_:-]))`, "giu");

/** A text that stands where a line belongs to it alone: as it is, or in a tag when it has several lines. */
export function lineOrBlock(text: string): string {
  return hasLines(text) ? `<text>\n${text}\n</text>` : text;
}

export function turnTag(speaker: string, text: string): string {
  const shown = hasLines(text) ? `\n${text}\n` : text;
  return `<turn speaker="${attribute(speaker)}">${shown}</turn>`;
}

export function passageTag(number: number, title: string, text: string): string {
  const named = title.trim() === "" ? "" : ` title="${attribute(title)}"`;
  return `<passage number="${number}"${named}>\n${text}\n</passage>`;
}

function attribute(value: string): string {
  return value.replaceAll(lineEnds, " ").trim().replaceAll('"', "&quot;");
}

function hasLines(text: string): boolean {
  return text.search(lineEnds) >= 0;
}

/** All that Unicode or Python takes for the end of a line. */
// oxlint-disable-next-line no-control-regex -- These controls end lines.
const lineEnds = /[\n\r\v\f\u001C-\u001E\u0085\u2028\u2029]+/gu;
