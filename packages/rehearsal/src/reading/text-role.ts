import type { TextReader } from "../text/index.ts";
import { stemTable } from "../text/index.ts";
import type { TextRole } from "./task.ts";

/**
 * What a text output should hold: the earliest indicative word of its description decides, since
 * the head of an English noun phrase comes early ("search query for the missing part" is a query).
 * Without such a word it is an answer. A description with more than one noun is read as a phrase:
 * "the next question" is a sub-question, "sentences of a document" are a passage.
 */
export function textRoleOf(description: string, reader: TextReader): TextRole {
  const stems = reader.words(spaced(description)).map((word) => word.stem);
  const phrased = roleOfPhrase(stems, description);
  if (phrased !== undefined) return phrased;
  for (const [index, stem] of stems.entries()) {
    // "The question, rewritten..." is a query; "the question" alone does not decide yet.
    if (stem === "question" && stems.slice(index + 1, index + 6).some(isRewriting)) return "query";
    if (stem === "search" && stems.slice(index + 1, index + 3).includes("suggest")) {
      return "suggestions";
    }
    const role = roleByStem.get(stem);
    if (role !== undefined) return role;
  }
  return "answer";
}

function roleOfPhrase(stems: readonly string[], description: string): TextRole | undefined {
  const head = stems.slice(0, 8);
  const asked = head.indexOf("question");
  // "The question, as a query": what comes after the first noun qualifies it.
  const isNext = (index: number): boolean =>
    index >= 0 && head.slice(0, index).some((stem) => nextStems.includes(stem));
  if (isNext(asked) && !head.slice(0, asked).includes("queri")) return "subquestion";
  if (head.includes("subquest") && !head.slice(0, 3).includes("queri")) return "subquestion";
  if (asked >= 0 && asked <= 2 && /\blook(?:ed)? up\b/i.test(description)) return "subquestion";
  if (passagePattern.test(description)) return "passage";
  if (termsPattern.test(description)) return "terms";
  return head.slice(0, 4).some((stem) => stem === "statement" || stem === "claim")
    ? "statement"
    : undefined;
}

const nextStems: readonly string[] = "sub seed next intermedi simpler smaller singl bridg".split(
  " ",
);
const passagePattern =
  /\b(?:hypothetical|imagined|invented|plausible|pretended|made-up)\b|\bsentences of an? (?:document|passage|article|text)\b|\b(?:document|passage|article|text) that (?:would|could|might|may) (?:answer|say|hold)/i;
const termsPattern =
  /^(?:the )?(?:(?:key|main|exact|important|anchor) )?(?:anchors?|terms|keywords|words|names)\b|\bat most (?:\d+|\w+) (?:terms|keywords|anchors|words|names)\b/i;

function isRewriting(stem: string): boolean {
  return ["rewritten", "rewrit", "rephras", "reformul", "standalon", "stand"].includes(stem);
}

function spaced(text: string): string {
  return text.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}

const roleByStem: ReadonlyMap<string, TextRole> = stemTable<
  Exclude<TextRole, "subquestion" | "passage" | "terms" | "statement">
>({
  reasoning: "reasoning step rationale thinking thought justification justify derivation",
  query:
    "query search keywords standalone rewrite rewritten reformulated rephrased subquestion retrieve rerank",
  findings:
    "notes findings found facts evidence quote extracted learned summary summarise established",
  missing: "missing lacking gap absent unanswered unknown unresolved remaining uncovered",
  suggestions: "suggestion strategy recommendation advice next proposal hint",
  clarification: "clarification clarify",
  instruction: "instruction prompt",
  answer: "answer reply response report conclusion",
});
