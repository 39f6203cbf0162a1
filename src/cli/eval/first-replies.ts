import type { EvaluationEvent } from "../../evaluate/index.ts";
import { excerpt, oneLine } from "../../internal/index.ts";
import { duration } from "../terminal/progress-line.ts";
import { printToStderr } from "../terminal/terminal.ts";

/** Shown as they come. */
const firstRows = 3;

/** Prints the first replies on standard error, with their scores and the time left. */
export function showFirstReplies(event: EvaluationEvent): void {
  if (event.kind !== "example-end" || event.done > firstRows) return;
  const { done, total, etaMs, row } = event;
  const { exampleId, latencyMs, output, failure, score } = row;
  const said =
    output === undefined ? `${failure?.code}: ${failure?.message}` : JSON.stringify(output);
  const value = score.kind === "scored" ? score.value.toFixed(4) : score.kind;
  const left = etaMs === null || done === total ? "" : `; ${duration(etaMs)} left`;
  printToStderr(
    `${oneLine(exampleId)}, ${(latencyMs / 1000).toFixed(1)} s: ${excerpt(oneLine(said), 100)}, ${value}${left}`,
  );
}
