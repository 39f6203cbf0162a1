import type { LanguageModel } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import type {
  OptimizationResult,
  OptimizeOptions,
  OptimizerEvent,
  OptimizerProgress,
} from "../../../src/optimizer/index.ts";
import { gepa, optimize } from "../../../src/optimizer/index.ts";
import { expectOrder } from "./event-order.ts";
import { placeStudy } from "./place-search.ts";

export interface PlacesRun {
  readonly result: OptimizationResult;
  readonly events: readonly OptimizerEvent[];
  readonly progress: readonly OptimizerProgress[];
  /** Judged runs of the program, and calls that reached the LM. */
  readonly seen: { readonly rollouts: number; readonly calls: number };
}

/** Optimizes the place finder, by default on the embedded rehearsal LM. */
export async function runPlaces(
  options: Partial<OptimizeOptions> = {},
  study: typeof placeStudy = placeStudy,
): Promise<PlacesRun> {
  const events: OptimizerEvent[] = [];
  const progress: OptimizerProgress[] = [];
  const seen = { rollouts: 0, calls: 0 };
  const { objective } = study;
  const result = await optimize(
    {
      ...study,
      objective: {
        ...objective,
        doScore: (given) => {
          seen.rollouts++;
          return objective.doScore(given);
        },
      },
    },
    {
      optimizer: gepa(),
      budget: { metricCalls: 120 },
      ...options,
      lm: counted(options.lm ?? rehearsalLm(), () => seen.calls++),
      onEvent: (event) => {
        if (event.kind === "progress") progress.push(event);
        else events.push(event);
        return options.onEvent?.(event);
      },
    },
  );
  expectOrder(events);
  return { result, events, progress, seen };
}

/** Everything that must not depend on timing. */
export function compiledPart({ result }: PlacesRun): object {
  const { reason, components, best, candidates, rejections, spent, run } = result;
  const logical = Object.entries(result.ledger.byRole).map(([role, entry]) => [
    role,
    entry.logical,
  ]);
  return { reason, components, best, candidates, rejections, spent, run, logical };
}

function counted(lm: LanguageModel, onCall: () => void): LanguageModel {
  return {
    identity: lm.identity,
    doGenerate: (request, options) => {
      onCall();
      return lm.doGenerate(request, options);
    },
  };
}
