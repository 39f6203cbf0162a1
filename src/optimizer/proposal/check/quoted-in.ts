import { once } from "../../../internal/index.ts";
import { isFeedbackHeading } from "../case/reflective-cases.ts";

/** Nouns of what an example holds, and words that point at its gold. */
const dataWord =
  /\b(?:answers?|questions?|gold(?:en)?|expected|wanted|correct|reference|truth|target|labels?|passages?|documents?|texts?|sources?|contexts?|evidence|snippets?|excerpts?|quotes?|quotations?|citations?|titles?|facts?|inputs?|outputs?|response|reply|returned|retrieved|found|predicted|predictions?|solution|completion|transcript|conversation|history|user|assistant|quer(?:y|ies))\b/i;
/** A label with one of these introduces what somebody says about the example. */
const ruleWord =
  /\b(?:advice|hints?|tips?|rules?|lessons?|guidelines?|guidance|polic(?:y|ies)|requirements?|formats?|styles?|lengths?|instructions?|notes?|comments?|feedback|remarks?|critiques?|improvements?|suggestions?|problems?|errors?|mistakes?|issues?|reasons?|fix(?:es)?)\b/i;
/** "The answer is too vague: ..." is a sentence, not a label. */
const verb = /\b(?:is|are|was|were|lacks?|needs?|must|should|does|do|did|misses|contains?)\b/i;
/** At the start of a line or of a sentence. */
const labelPattern = /(^\s*|[.;!?]\s+)([^\s.:;!?"“«„][^.:;!?"“«„]{0,60}):(?=\s|$)/gu;
const listItem = /^\s*(?:[-*•]|\[\d+\]|\d+[.)])\s/;
const quotation = once(
  () => /(?<![\p{L}\p{N}])(?:"([^"]+)"|“([^“”]+)”|«([^«»]+)»|„([^„“”]+)[“”])(?![\p{L}\p{N}])/gu,
);
const namedAnswers = once<readonly RegExp[]>(() => [
  /\b(?:correct|right|expected|gold|reference|true|wanted) (?:answer|output|response|label|result|value) (?:is|was) (?!(?:an?|one|in|as|to|that|short|only|not)\b)([^.;\n]+)/giu,
  /\b(?:answer|output|response|label|result|value) (?:is|was) (\p{Lu}[^.;\n]*|\p{N}[^.;\n]*)/gu,
  /\bexpected (?!to\b|answer\b|output\b|response\b)([^.;\n]+)/giu,
]);
/** Each expression of an answer has one of these words. */
const namesAnswer = /\b(?:is|was|expected) /iu;

/**
 * What feedback quotes from the data of its example: the text in quotation marks, the text after a
 * label such as `Expected answer:`, the lines below one such as `Missing passages:`, up to an empty
 * line or the next label, and an answer that a sentence names. All the rest is what the metric, or
 * a person, says about the example in words of their own.
 */
export function quotedIn(feedback: string): readonly string[] {
  const quoted: string[] = [];
  const own: string[] = [];
  let isBlock = false;
  for (const line of feedback.split("\n")) {
    if (line.trim() === "" || isFeedbackHeading(line)) {
      isBlock = false;
      continue;
    }
    if (isBlock && listItem.test(line)) {
      quoted.push(line.replace(listItem, ""));
      continue;
    }
    let isQuoted: boolean = isBlock;
    let from = 0;
    const labels: readonly Label[] = labelsIn(line);
    for (const { start, end, isData } of labels) {
      (isQuoted ? quoted : own).push(line.slice(from, start));
      isQuoted = isData;
      from = end;
    }
    const rest = line.slice(from);
    (isQuoted ? quoted : own).push(rest);
    if (labels.length > 0) isBlock = isQuoted && rest.trim() === "";
  }
  const said = own.join("\n");
  const patterns = [
    ...(/["“«„]/.test(said) ? [quotation()] : []),
    ...(namesAnswer.test(said) ? namedAnswers() : []),
  ];
  for (const pattern of patterns) {
    for (const [, ...groups] of said.matchAll(pattern)) {
      quoted.push(groups.find((group) => group !== undefined) ?? "");
    }
  }
  return quoted.filter((text) => text.trim() !== "");
}

interface Label {
  readonly start: number;
  readonly end: number;
  /** Whether data follow, or what somebody says. */
  readonly isData: boolean;
}

/** A label of neither kind, as in a passage, changes nothing. */
function labelsIn(line: string): readonly Label[] {
  if (!line.includes(":")) return [];
  return [...line.matchAll(labelPattern)].flatMap(
    ({ 0: all, 1: before = "", 2: name = "", index }) => {
      const isRule = ruleWord.test(name);
      if (verb.test(name) || !(isRule || dataWord.test(name))) return [];
      return [{ start: index + before.length, end: index + all.length, isData: !isRule }];
    },
  );
}
