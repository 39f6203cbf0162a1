import type { RankedPassage, Text } from "espalier";
import type { HanragCall } from "./modules.ts";
import type { Found } from "./search-and-answer.ts";
import type { SolvedStep } from "./thought.ts";
import { thoughtOf } from "./thought.ts";
import { unlessUnreadable } from "../support/unless-unreadable.ts";

/** How a question was answered. */
export interface Solution {
  readonly answer: Text<"answer">;
  /** Number of consecutive cycles of retrieval and generation; concurrent ones count as one. */
  readonly steps: number;
  readonly solved: readonly SolvedStep[];
  /** What the generator read, without duplicates. */
  readonly passages: readonly RankedPassage[];
}

export type Search = (question: Text<"question">, call: HanragCall) => Promise<Found>;

/**
 * A compound question (section 3, formulas 1 to 5): answers its parts concurrently, which the paper
 * counts as one step, and combines the answers. A question that cannot be split is its own only
 * part.
 */
export async function answerCompound(
  question: Text<"question">,
  call: HanragCall,
  search: Search,
): Promise<Solution> {
  const parts = await partsOf(question, call);
  const found = await Promise.all(
    parts.map((part, index) => search(part, call.at("part", index + 1))),
  );
  const solved = parts.map((part, index) => ({
    question: part,
    answer: found[index]?.answer ?? "",
  }));
  const { answer } = await call.predictors.answerFromSteps({
    question,
    thought: thoughtOf(solved),
  });
  return { answer, steps: 1, solved, passages: found.flatMap(({ passages }) => passages) };
}

async function partsOf(
  question: Text<"question">,
  call: HanragCall,
): Promise<readonly Text<"question">[]> {
  const { subQuestions } = await unlessUnreadable<{
    readonly subQuestions: readonly Text<"question">[];
  }>(call.predictors.decomposeQuestion({ question }), () => ({ subQuestions: [] }));
  const parts = subQuestions.filter((part) => part.trim() !== "");
  if (parts.length > 0) return parts;
  call.note("not-decomposed", true);
  return [question];
}
