import type { LanguageModel } from "../../contract/index.ts";
import type { Budget } from "../budget/index.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import { canShow } from "../demonstrations/index.ts";
import { bootstrapFewShot } from "../few-shot/index.ts";
import { gepa } from "../gepa/gepa.ts";
import { inTurn } from "../in-turn/index.ts";
import { miproV2 } from "../mipro-v2/index.ts";
import { parameterSearch } from "../parameter-search/index.ts";
import { changeableParameters } from "../parameter-search/tunable.ts";
import type { SearchSpace } from "../task/search-space.ts";

export interface AutoSearchOptions {
  /** Optional here; the run can set it. */
  readonly budget?: Budget;
  /** @default 0 */
  readonly seed?: number;
  readonly reflection?: {
    /** Writes texts. @default the run's LM */
    readonly lm?: LanguageModel;
  };
}

/**
 * The optimizer that runs when none is named: it looks once at what may change in a program and at
 * the budget, and chooses the search that fits.
 *
 * - Labels of at least half of train tell all that the steps should write, and no parameter may
 *   change: `bootstrapFewShot()` shows them, then `gepa()` writes texts with what that leaves of
 *   the budget. On real tasks with a small model this gained more than our other searches
 *   (docs/real-models.md).
 * - Nothing but texts may change, or the budget is too small to tell more apart: `gepa()`.
 * - Nothing but parameters may change: `parameterSearch()` by TPE.
 * - Elsewhere: `miproV2()`.
 *
 * The plan, the journal and `espalier show` say which it took, and why.
 *
 * @example
 * study({ program, trainset, objective, optimizer: autoSearch({ budget: { metricCalls: 500 } }) })
 * @throws EspalierError `option-invalid`
 */
export function autoSearch({
  budget,
  seed = 0,
  reflection = {},
}: AutoSearchOptions = {}): Optimizer {
  const texts = gepa({ reflection });
  // All of the budget's metric calls, where a part without a budget of its own gets a share.
  const whole = { metricCalls: Number.MAX_SAFE_INTEGER };
  const demonstrations = bootstrapFewShot({ trials: 8, budget: whole });
  const searches = {
    texts,
    labels: inTurn([demonstrations, texts]),
    together: miproV2({ reflection }),
    parameters: parameterSearch({ method: "tpe" }),
  };
  const searchFor = (space: SearchSpace, rollouts: number) => {
    const { takes, why } = fittingSearch(space, rollouts);
    const optimizer = searches[takes];
    return { optimizer, search: { name: optimizer.name, version: optimizer.version, why } };
  };
  return Object.freeze({
    name: "auto-search",
    version: "3",
    seed,
    ...(budget && { budget }),
    ...(reflection.lm && { reflectionLm: reflection.lm }),
    settings: {
      searches: Object.values(searches).map(({ name, version, settings }) => ({
        name,
        version,
        settings,
      })),
    },
    doPlan: (space, cap) => {
      const { optimizer, search } = searchFor(space, cap.metricCalls ?? Infinity);
      return { ...optimizer.doPlan(space, cap), searches: [search] };
    },
    doOptimize: async (space, run) => {
      const { optimizer, search } = searchFor(space, run.rolloutsExpected());
      run.emit({ kind: "search-chosen", iteration: 0, search });
      return optimizer.doOptimize(space, run);
    },
  } satisfies Optimizer);
}

/** With fewer, `miproV2()` has too few trials to choose by, of a dozen rollouts each. */
const minRolloutsTogether = 120;

/**
 * The search that fits a program and a budget, and why: a clause that follows "because".
 *
 * @param rollouts that the budget allows; `Infinity` if nothing bounds them
 */
function fittingSearch(
  space: SearchSpace,
  rollouts: number,
): {
  readonly takes: "texts" | "labels" | "together" | "parameters";
  readonly why: string;
} {
  const { components, train } = space;
  const texts = components.filter(({ kind }) => kind === "instruction").length;
  const numbers = changeableParameters(space).length;
  const shown = components.filter((component) => canShow(component, space)).length;
  if (texts === 0 && numbers > 0) {
    return { takes: "parameters", why: "nothing but parameters can change" };
  }
  if (numbers + shown === 0) return { takes: "texts", why: "nothing but texts can change" };
  const covered = train.filter((id) => space.isCoveredByLabels?.(id) === true).length;
  if (covered >= Math.max(1, train.length / 2) && numbers === 0) {
    return {
      takes: "labels",
      why: `labels give demonstrations for ${counted(shown, "step")}, and ${counted(texts, "text")} can change after that`,
    };
  }
  const dimensions = [
    counted(texts, "text"),
    ...(shown > 0 ? [`demonstrations of ${counted(shown, "step")}`] : []),
    ...(numbers > 0 ? [counted(numbers, "parameter")] : []),
  ];
  const what = `${dimensions.join(" and ")} can change`;
  if (rollouts >= minRolloutsTogether) return { takes: "together", why: what };
  return {
    takes: "texts",
    why: `${what}, but ${counted(rollouts, "rollout")} cannot tell which of them matter: that takes ${minRolloutsTogether}`,
  };
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
