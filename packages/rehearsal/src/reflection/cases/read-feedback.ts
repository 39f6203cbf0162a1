import type { TextReader } from "../../text/index.ts";
import { sentences, stemTable } from "../../text/index.ts";

/** What one piece of feedback says. */
export interface Feedback {
  /** The question it refers to, if it names one. */
  readonly question: string;
  /** Text that should have been found, or the expected answer. */
  readonly wanted: string;
  /** Text that was found instead. */
  readonly found: string;
  /** All other remarks on the case. */
  readonly remarks: string;
  /** Sentences that say what to do. */
  readonly advice: readonly string[];
}

type Section = "question" | "wanted" | "found" | "other";

/** Sorts feedback by its `Label:` lines; a line without a label continues the previous section. */
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

/** A label consists of known label words; other lines with a colon are quoted text. */
function sectionOf(label: string, before: Section, reader: TextReader): Section | undefined {
  const words = reader.words(label).filter(({ kind }) => kind !== "function");
  const meanings = words.map(({ stem }) => meaningByStem.get(stem));
  const isLabel = words.every(
    ({ kind, lower }, index) =>
      kind === "filler" || /^\d+$/.test(lower) || meanings[index] !== undefined,
  );
  if (!isLabel) return undefined;
  const isDenied = /\b(?:not|never)\b/i.test(label);
  if (meanings.includes("wanted") || (isDenied && meanings.includes("found"))) return "wanted";
  const known = meanings.find((meaning) => meaning !== undefined && meaning !== "neutral");
  // "Expected answer: ...", then "Answer: ...": the second is the answer that was given.
  const isGiven = before === "wanted" && /^(?:the )?(?:answer|response|output)$/i.test(label);
  return known ?? (isGiven ? "found" : undefined);
}

/** A sentence about the output does not belong to the quoted text before it. */
const remarkPattern =
  /^(?:the|this|its|your) (?:answer|response|reply|output|query|queries|search|searches|citations?) (?:is|are|was|were|has|have|does|do|did|lacks?|cites?|misses|found|took) .*[.!]$/i;

/**
 * Words that feedback labels consist of, in any program: what was asked, wanted and found, other
 * figures and remarks (`other`), and nouns that combine with any of them (`neutral`). If a program
 * works in steps or rounds, a number with that word is also a label.
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
