import type { Blame } from "espalier";
import { compoundAccuracyOf, tokenF1Of } from "espalier/metric";
import type { Evidence } from "./evidence.ts";
import type { HanragLabels, HanragOutput } from "./labels.ts";
import type { Cycle, HanragRun } from "./read-run.ts";

/**
 * Blames the predictor that wrote an answer if the evidence was complete: the generator of a step
 * for its own part, the last step for combining the parts.
 */
export function blameAnswer(
  run: HanragRun,
  labels: HanragLabels,
  {
    output: { answer },
    evidence,
    f1,
  }: { readonly output: HanragOutput; readonly evidence: Evidence; readonly f1: number },
): readonly Blame[] {
  const expected = `Expected "${labels.answers[0] ?? ""}", got "${answer}".`;
  if (run.hasCalled("answerDirectly"))
    return [{ path: "answerDirectly", score: f1, text: expected }];
  const ofParts = run.cycles.flatMap((cycle) => blameGenerator(cycle, run, labels));
  if (!run.hasCalled("answerFromSteps")) {
    return ofParts.length > 0 || !evidence.isComplete
      ? ofParts
      : run.cycles.map(({ path }) => ({
          path: `${path}/answerFromPassages`,
          score: f1,
          text: `All that is needed was there. ${expected}`,
        }));
  }
  const told = run.cycles.map((cycle) => cycle.answer).join(" && ");
  if (compoundAccuracyOf(told, labels.answers) < 1) return ofParts;
  const text = `The solved steps hold the answer. ${expected}`;
  return [...ofParts, { path: "answerFromSteps", score: f1, text }];
}

/** For a step that read the passage of a known sub-question. */
function blameGenerator(
  { path, read, answer }: Cycle,
  { cycles }: HanragRun,
  { decomposition = [], answers }: HanragLabels,
): readonly Blame[] {
  const parts = decomposition.filter(({ passageId = "" }) => read.includes(passageId));
  // If one passage answers several sub-questions, it is unknown which of them the step asked.
  const golds = parts.map((part) => part.answer);
  if (golds.length === 0) return [];
  const isWhole = cycles.length === 1;
  const score = tokenF1Of(answer, isWhole ? [...golds, ...answers] : golds);
  const wanted = golds.map((gold) => `"${gold}"`).join(" or ");
  return [
    {
      path: `${path}/answerFromPassages`,
      score,
      text:
        score === 1
          ? "Right: this is the answer to this step."
          : `The passage that answers this step was there: expected ${wanted}, got "${answer}".`,
    },
  ];
}
