import type { TextReader } from "../text/index.ts";
import { stemTable } from "../text/index.ts";
import type { TextRole } from "./task.ts";

/**
 * What a text output is to hold: the earliest telling word of its description decides, as the head
 * of an English noun phrase comes early ("search query for the missing part" is a query). A text
 * that tells nothing is an answer.
 */
export function textRoleOf(description: string, reader: TextReader): TextRole {
  const stems = reader.words(spaced(description)).map((word) => word.stem);
  for (const [place, stem] of stems.entries()) {
    // "The question, rewritten..." is a query, while the question alone says nothing yet.
    if (stem === "question" && stems.slice(place + 1, place + 6).some(isRewriting)) return "query";
    if (stem === "search" && stems.slice(place + 1, place + 3).includes("suggest")) {
      return "suggestions";
    }
    const role = roleByStem.get(stem);
    if (role !== undefined) return role;
  }
  return "answer";
}

function isRewriting(stem: string): boolean {
  return ["rewritten", "rewrit", "rephras", "reformul", "standalon", "stand"].includes(stem);
}

function spaced(text: string): string {
  return text.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}

const roleByStem: ReadonlyMap<string, TextRole> = stemTable<TextRole>({
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
