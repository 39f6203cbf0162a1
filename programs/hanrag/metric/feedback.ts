import { oneLine } from "espalier";
import { documentText } from "espalier/retrieval";
import type { Evidence } from "./evidence.ts";
import type { HanragLabels, HanragOutput, PassageOf } from "./labels.ts";
import type { HanragRun } from "./read-run.ts";

/** Describes the whole run, for a reflection LM. */
export function feedbackOn(
  { cycles }: HanragRun,
  {
    question,
    labels,
    output,
    evidence,
    f1,
    passageOf,
  }: {
    readonly question: string;
    readonly labels: HanragLabels;
    readonly output: HanragOutput;
    readonly evidence: Evidence;
    readonly f1: number;
    readonly passageOf: PassageOf;
  },
): string {
  const { answers, route } = labels;
  const shown = (ids: readonly string[]): readonly string[] =>
    ids.map((id) => `- ${shownPassage(id, passageOf)}`);
  return [
    `Question: ${question}`,
    `Expected answer: ${answers.slice(0, 3).join(" | ")}`,
    `Answer returned: ${output.answer}`,
    `Score: F1 ${f1.toFixed(3)}`,
    `Route: ${output.route}${route === undefined || route === output.route ? "" : `, expected ${route}`}`,
    `Steps: ${output.steps}`,
    ...cycles.map(
      (cycle, index) =>
        `${index + 1}. "${cycle.question}": found ${cycle.found.length} passages, read ${cycle.read.length}, answered "${cycle.answer}"`,
    ),
    ...(evidence.neverFound.length === 0 ? [] : ["Missing passages, never found:"]),
    ...shown(evidence.neverFound),
    ...(evidence.dropped.length === 0 ? [] : ["Missing passages, found but not read:"]),
    ...shown(evidence.dropped),
  ].join("\n");
}

function shownPassage(id: string, passageOf: PassageOf): string {
  const passage = passageOf(id);
  return passage === undefined ? id : oneLine(documentText(passage, 600));
}
