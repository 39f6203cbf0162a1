import type { OptimizerEvent, OptimizerProgress } from "../../optimizer/index.ts";
import { progressLine } from "../terminal/progress-line.ts";
import { printToStderr } from "../terminal/terminal.ts";

/** Shows progress in metric calls, with a line for each accepted candidate. */
export function optimizerProgressLine(metric: string): Disposable & {
  readonly onEvent: (event: OptimizerEvent | OptimizerProgress) => void;
} {
  const line = progressLine("metric calls");
  return {
    onEvent: (event) => {
      if (event.kind === "progress") {
        const { metricCalls: done, cap, etaMs } = event;
        line.show({ done, total: cap ?? done, etaMs });
      }
      if (event.kind === "candidate-accepted") {
        const { candidate, iteration, value } = event;
        const what = candidate === 0 ? "seed" : `iteration ${iteration}, candidate ${candidate}`;
        line[Symbol.dispose]();
        printToStderr(`${what}: ${metric} ${value.toFixed(4)} on val`);
      }
    },
    [Symbol.dispose]: () => line[Symbol.dispose](),
  };
}
