import type { LanguageModel, Study } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import type { OptimizationResult, OptimizeOptions, OptimizerEvent } from "espalier/optimizer";
import { optimize, parameterSearch } from "espalier/optimizer";
import { dialStudy } from "./dials.ts";

export interface DialRun {
  readonly result: OptimizationResult;
  readonly events: readonly OptimizerEvent[];
  /** Calls that reached the LM. */
  readonly calls: number;
  /** Settings in the order in which they were tried, by what they changed. */
  readonly tried: readonly Readonly<Record<string, string>>[];
}

/** Searches the dials on the embedded rehearsal LM unless the options say otherwise. */
export async function searchDials(
  options: Partial<OptimizeOptions> = {},
  study: Study = dialStudy,
): Promise<DialRun> {
  const events: OptimizerEvent[] = [];
  const inner: LanguageModel = options.lm ?? rehearsalLm();
  let calls = 0;
  const result = await optimize(study, {
    optimizer: parameterSearch({ trials: 10 }),
    ...options,
    lm: {
      identity: inner.identity,
      doGenerate: (request, callOptions) => {
        calls++;
        return inner.doGenerate(request, callOptions);
      },
    },
    onEvent: (event) => {
      if (event.kind !== "progress") events.push(event);
      return options.onEvent?.(event);
    },
  });
  const tried = events.flatMap((event) =>
    event.kind === "candidate-proposed" ? [event.texts] : [],
  );
  return { result, events, calls, tried };
}
