import type { TextReader } from "../../text/index.ts";
import { sentences, stemTable } from "../../text/index.ts";

/** What one piece of feedback says. */
export interface Feedback {
  /** The question it is about, if it says so. */
  readonly question: string;
  /** Text that should have been found, or the answer that was expected. */
  readonly wanted: string;
  /** Text that was found instead. */
  readonly found: string;
  /** Whatever else is said of the case. */
  readonly remarks: string;
  /** Sentences that tell what to do. */
  readonly advice: readonly string[];
}

type Section = "question" | "wanted" | "found" | "other";

/** Sorts feedback by its `Label:` lines; a line without a label goes on with the one before it. */
export function readFeedback(text: string, reader: TextReader): Feedback {
  const held: Record<Section, string[]> = { question: [], wanted: [], found: [], other: [] };
  let section: Section = "other";
  for (const line of text.split("\n")) {
    const labelled = /^[\s#*-]*([A-Z][^:\n]{2,90}?)[*]{0,3}:[*]*\s*(.*)/s.exec(line);
    const named: Section | undefined =
      labelled === null ? undefined : sectionOf(labelled[1] ?? "", section, reader);
    if (named !== undefined) section = named;
    else if (remarkPattern.test(line)) section = "other";
    held[section].push(named === undefined ? line : (labelled?.[2] ?? ""));
  }
  return {
    question: held.question.join("\n").trim(),
    wanted: held.wanted.join("\n").trim(),
    found: held.found.join("\n").trim(),
    remarks: held.other.join("\n").trim(),
    advice: sentences(held.other.join("\n")).filter(isAdvice),
  };
}

/** A label is made of words that labels are made of; other lines with a colon are quoted text. */
function sectionOf(label: string, before: Section, reader: TextReader): Section | undefined {
  const words = reader.words(label).filter(({ kind }) => kind !== "function");
  const meanings = words.map(({ stem }) => meaningByStem.get(stem));
  const isLabel = words.every(
    ({ kind, lower }, place) =>
      kind === "filler" || /^\d+$/.test(lower) || meanings[place] !== undefined,
  );
  if (!isLabel) return undefined;
  const isDenied = /\b(?:not|never)\b/i.test(label);
  if (meanings.includes("wanted") || (isDenied && meanings.includes("found"))) return "wanted";
  const told = meanings.find((meaning) => meaning !== undefined && meaning !== "neutral");
  // "Expected answer: ...", then "Answer: ...": the one that was given.
  const isGiven = before === "wanted" && /^(?:the )?(?:answer|response|output)$/i.test(label);
  return told ?? (isGiven ? "found" : undefined);
}

/** A sentence about what was written is no part of a text that was quoted before it. */
const remarkPattern =
  /^(?:the|this|its|your) (?:answer|response|reply|output|query|queries|search|searches|citations?) (?:is|are|was|were|has|have|does|do|did|lacks?|cites?|misses|found|took) .*[.!]$/i;

/**
 * Words that labels of feedback are made of, in any program: what was asked, wanted and found,
 * further figures and remarks (`other`), nouns that go with any of them (`neutral`). Where a
 * program works in steps or rounds, a number with that word is a label, too.
 */
const meaningByStem: ReadonlyMap<string, Section | "neutral"> = stemTable<Section | "neutral">({
  question: "question",
  wanted: "missing missed gold expected wanted reference correct lacking overlooked relevant",
  found: "retrieved found returned results got",
  other: `score recall precision labels answerability type collection hint advice domain feedback metric
    ndcg accuracy comment step round f1 citations cited need`,
  neutral: `passages documents texts title list top ranked ids answer response user text evidence
    supporting paragraphs failed system read`,
});

const advicePattern =
  /^(?:always|never|avoid|do not|don't|please|make sure|try|instead|include|add|use|remove|mention|keep|write|answer|state|cite|prefer|ask|name|carry|resolve|rewrite|split|give|say|drop|quote|treat|put|list|start|end|focus)\b|\b(?:should(?! (?:not )?have)|must|need to|needs to|ought to|has to|have to)\b/i;

function isAdvice(sentence: string): boolean {
  return advicePattern.test(sentence) && sentence.length <= 300;
}
