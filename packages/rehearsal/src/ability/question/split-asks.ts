import type { TextReader } from "../../text/index.ts";

/** The independent things that one question asks for. */
export interface Asks {
  /**
   * Each phrased as a question, otherwise verbatim: pronouns and omitted subjects are not filled
   * in.
   */
  readonly parts: readonly string[];
  /** What the asks are about, as the question writes it; empty if unclear. */
  readonly subject: string;
}

/**
 * Splits a question where another interrogative follows a comma or "and", where it lists several
 * attributes of one thing, or where it compares two named things. A plain question is one ask.
 */
export function splitAsks(question: string, reader: TextReader): Asks {
  const whole = question.trim().replace(/\s+/g, " ");
  const compared = comparison(whole);
  if (compared !== undefined) return { parts: compared, subject: "" };
  const listed = attributes(whole);
  if (listed !== undefined) return listed;
  const opening = openingOf(whole);
  const body = whole.slice(opening.length);
  const cut = body.split(/(?:[?.!;] |, ?)(?:and )?(?=\p{L})| and /iu);
  const parts = joined(body, cut);
  if (parts.length < 2) return { parts: [whole], subject: "" };
  const subject = subjectOf(opening, parts[0] ?? "", reader);
  return { parts: parts.map((part) => asQuestion(`${opening}${part}`)), subject };
}

/** "For the fair: ...", "In chess, how...": the text before the first interrogative. */
function openingOf(question: string): string {
  return (
    /^(?:for|in|about|regarding|as to|of|concerning) [^,:?]{2,100}[,:] (?=(?:\w+ ){0,2}(?:how|what|which|who|whom|whose|when|where|why)\b)/i.exec(
      question,
    )?.[0] ?? ""
  );
}

/** Rejoins pieces that do not begin with an interrogative. */
function joined(body: string, pieces: readonly string[]): readonly string[] {
  const parts: { text: string; end: number }[] = [];
  let from = 0;
  for (const piece of pieces) {
    const at = body.indexOf(piece, from);
    from = at + piece.length;
    const last = parts.at(-1);
    const isAsk =
      last === undefined || /\b(?:how|wh(?:at|ich|om?|ose|en|ere|y))\b/i.test(last.text);
    if (last !== undefined && !(isAsk && opensAsk(piece, body.slice(last.end, at)))) {
      last.text = body.slice(last.end - last.text.length, from);
      last.end = from;
    } else parts.push({ text: piece, end: from });
  }
  return parts.map(({ text }) => text.trim()).filter((text) => text !== "");
}

/** After a mere comma, "which" and "who" more often continue a clause than ask. */
function opensAsk(piece: string, between: string): boolean {
  const match = askPattern.exec(piece);
  if (match === null) return false;
  const isRelative = /^(?:which|who|whom|whose|where|when)$/i.test(match[1] ?? "");
  if (inverted.test(piece)) return true;
  return /and|[?;.]/i.test(between) || !isRelative || match[0].length > (match[1] ?? "").length;
}

/** "when did she": a clause that merely continues has its subject first. */
const inverted = /^\w+ (?:did|does|do|was|is|were|are|has|have|can|will) (?!\w+ed\b)/i;
const askPattern =
  /^(?:(?:and|at|in|on|from|to|by|for|of|until|since|with|up to|about|after) )*(how|what|which|who|whom|whose|when|where|why)\b/i;

/** "What are the height and the length of X?" */
function attributes(question: string): Asks | undefined {
  const match = attributesPattern.exec(question);
  if (match === null) return undefined;
  const [, word = "", verb = "", list = "", link = "", subject = ""] = match;
  const names = list.split(/,? and (?:the )?|, (?:the )?/);
  const singular = verb === "were" || verb === "was" ? "was" : "is";
  return {
    parts: names.map((name) => `${word} ${singular} the ${name} ${link} ${subject}?`),
    subject,
  };
}

/** At most four words. */
const attribute = "(?!(?:and|the)\\b)[\\w'-]+(?: (?!and\\b)[\\w'-]+){0,3}?";
const attributesPattern: RegExp = new RegExp(
  `^(what|which|who) (is|are|was|were) (?:the )?(${attribute}(?:(?:, | and )(?:the )?${attribute})*,? and (?:the )?${attribute}) (of|for|in|at) (.+?)\\??$`,
  "is",
);

/** "Which came first, A or B?": asks the same of each; the answer makes the comparison. */
function comparison(question: string): readonly string[] | undefined {
  const match = /^(.{8,120}?)[,:] (?:the )?([^,?]{2,60}?),? or (?:the )?([^,?]{2,60})\?$/i.exec(
    question,
  );
  const [, asked = "", one = "", other = ""] = match ?? [];
  const areNamed = [one, other].every((name) => /\p{Lu}|\d/u.test(name));
  return match !== null && areNamed ? [`${asked}, ${one}?`, `${asked}, ${other}?`] : undefined;
}

/** The last name of the first ask, otherwise its last content words. */
function subjectOf(opening: string, first: string, reader: TextReader): string {
  const said = opening === "" ? first : opening.replace(/^\w+ |(?<![,: ])[,: ]+$/g, "");
  const words = reader.words(said);
  const last = words.findLastIndex(({ isName }) => isName);
  if (last < 0) {
    const content = words.findLast(({ kind }) => kind === "content");
    return content?.surface ?? "";
  }
  let start = last;
  while (words[start - 1]?.isName === true) start -= 1;
  return said.slice(words[start]?.start, words[last]?.end);
}

function asQuestion(text: string): string {
  const plain = text.replace(/^and /i, "").replace(/(?<![\s,;.?!])[\s,;.?!]+$/, "");
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}?`;
}
