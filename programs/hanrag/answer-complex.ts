import type { RankedPassage, Text } from "espalier";
import type { Search, Solution } from "./answer-compound.ts";
import type { HanragCall } from "./modules.ts";
import type { SolvedStep } from "./thought.ts";
import { thoughtOf } from "./thought.ts";
import { unlessUnreadable } from "../support/unless-unreadable.ts";

/**
 * A complex question (algorithm 2): answers seed questions in sequence until the ending
 * discriminator is satisfied or the steps are used up. Corrects two errors of the printed
 * algorithm: ANRAG answers a seed question, and the ending is judged again after each step. If
 * nothing has to be looked up, the model answers alone.
 */
export async function answerComplex(
  question: Text<"question">,
  call: HanragCall,
  search: Search,
): Promise<Solution> {
  const { maxSteps, ending, refiner } = call.parameters;
  const solved: SolvedStep[] = [];
  const passages: RankedPassage[] = [];
  while (solved.length < maxSteps && !(await isSolved())) {
    const step = call.at("step", solved.length + 1);
    const seed = await seedQuestion(step);
    const found = await search(seed, step);
    solved.push({ question: seed, answer: found.answer });
    passages.push(...found.passages);
  }
  const { answer } =
    solved.length === 0
      ? await call.predictors.answerDirectly({ question })
      : await call.predictors.answerFromSteps({ question, thought: thoughtOf(solved) });
  return { answer, steps: solved.length, solved, passages };

  /** An unreadable judgement means not solved, so that the step limit bounds the search. */
  async function isSolved(): Promise<boolean> {
    if (ending === "off") return false;
    const judged = await unlessUnreadable(
      call.predictors.judgeEnding({ question, thought: thoughtOf(solved) }, { key: solved.length }),
      () => ({ isSolved: false }),
    );
    return judged.isSolved;
  }

  /** The question itself if the refiner returns nothing. */
  async function seedQuestion(step: HanragCall): Promise<Text<"question">> {
    if (refiner === "off") return question;
    const refined = await unlessUnreadable<{ readonly seedQuestion: Text<"question"> }>(
      step.predictors.refineQuestion({ question, thought: thoughtOf(solved) }),
      () => ({ seedQuestion: "" }),
    );
    if (refined.seedQuestion.trim() !== "") return refined.seedQuestion;
    step.note("not-refined", true);
    return question;
  }
}
