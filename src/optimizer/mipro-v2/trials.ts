import type { Candidate, RandomSource } from "../../contract/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { SearchLog } from "../contract/search-log.ts";
import { onPart, searchLog } from "../contract/search-log.ts";
import type { Rollout, StepEvaluation } from "../evaluation/index.ts";
import { selectionOf } from "../evaluation/index.ts";
import type { Choices } from "./choices.ts";
import { keyOf } from "./choices.ts";
import { trialValues } from "../parameter-search/search-parameters.ts";
import { drawnSetting, readableSetting } from "../parameter-search/settings-to-try.ts";
import { suggestSetting } from "../parameter-search/tpe/suggest-setting.ts";
import type { Setting } from "../parameter-search/tunable.ts";
import { settingOf } from "../parameter-search/tunable.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** A combination that was tried, with its rollouts on val so far. */
export interface Trial {
  readonly setting: Setting;
  readonly components: Candidate;
  /** The iteration of its first run; 0 for the program as it is. */
  readonly iteration: number;
  readonly rollouts: readonly Rollout[];
  /** Whether it was run on all examples that judge. */
  readonly isWhole: boolean;
}

/** Trials of a search in their order, each combination once. */
export interface Trials {
  readonly all: readonly Trial[];
  trialOf(setting: Setting): Trial | undefined;
  /** Adds a trial, or takes the place of that of the same setting. */
  put(trial: Trial): void;
  /** The one not yet run on all examples that seems best; `undefined` where none is left. */
  mostPromising(): Trial | undefined;
  /** The one that seems best, by what it and others were run on. */
  best(): Trial | undefined;
  /** What to try next, nothing that was run on all examples; `undefined` where none is left. */
  next(random: RandomSource): Setting | undefined;
  /** Whether a setting was not yet run on all examples. */
  isOpen(setting: Setting): boolean;
  /** Further options of choices; trials so far keep their settings. */
  extend(choices: Choices): void;
}

/** Trials, the program as it is among them, before the first suggestion. */
const startupTrials = 10;
/** Suggestions of finished combinations before one is drawn at random. */
const maxDuplicateSuggestions = 10;
const maxDuplicateDraws = 1_000;
/** How often a random trial leaves a parameter as the program has it. */
const shareOfOwn = 0.75;

export function startTrials(run: OptimizerRun, choices: Choices): Trials {
  let { tunables, parameters } = choices;
  const all: Trial[] = [];
  const places = new Map<string, number>();
  const trialOf = (setting: Setting): Trial | undefined => all[places.get(keyOf(setting)) ?? -1];
  const isOpen = (setting: Setting): boolean => trialOf(setting)?.isWhole !== true;

  let latest: ReturnType<typeof valuedAnew> | undefined;
  const valued = (): ReturnType<typeof valuedAnew> => (latest ??= valuedAnew());
  /** Values on one scale; a trial without any score is left out. */
  const valuedAnew = (): readonly { readonly trial: Trial; readonly value: number }[] => {
    const { isMean } = run.summarize("val", []);
    if (!isMean) {
      return all.flatMap((trial) => {
        const { value } = run.summarize("val", trial.rollouts);
        return value === null ? [] : [{ trial, value }];
      });
    }
    const scored = all.flatMap((trial) => {
      const scores = new Map(
        trial.rollouts.flatMap(({ exampleId, score }): readonly [string, number][] =>
          score.kind === "scored" ? [[exampleId, score.value]] : [],
        ),
      );
      return scores.size === 0 ? [] : [{ trial, scores }];
    });
    const values = trialValues(scored.map(({ scores }) => scores));
    return scored.map(({ trial }, index) => ({ trial, value: values[index] as number }));
  };

  const drawn = (random: RandomSource): Setting => {
    const setting = drawnSetting(tunables, random);
    return settingOf(tunables, ({ name, value }) =>
      parameters.has(name) && random.random() < shareOfOwn ? value : (setting[name] ?? value),
    );
  };
  const suggested = (random: RandomSource): Setting =>
    readableSetting(
      tunables,
      suggestSetting(
        tunables,
        valued().map(({ trial, value }) => ({ setting: trial.setting, value })),
        () => random.random(),
      ),
    );

  return {
    all,
    trialOf,
    put: (trial) => {
      latest = undefined;
      const key = keyOf(trial.setting);
      const index = places.get(key) ?? all.length;
      places.set(key, index);
      all[index] = trial;
    },
    isOpen,
    extend: (extended) => {
      ({ tunables, parameters } = extended);
    },
    best: () => valued().toSorted((one, other) => other.value - one.value)[0]?.trial,
    mostPromising: () =>
      valued()
        .filter(({ trial }) => !trial.isWhole)
        .toSorted((one, other) => other.value - one.value)[0]?.trial,
    next: (random) => {
      if (all.length >= startupTrials) {
        const found = firstOpen(() => suggested(random), maxDuplicateSuggestions);
        if (found !== undefined) return found;
      }
      return firstOpen(() => drawn(random), maxDuplicateDraws);
    },
  };

  function firstOpen(draw: () => Setting, attempts: number): Setting | undefined {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const setting = draw();
      if (isOpen(setting)) return setting;
    }
    return undefined;
  }
}

/** Candidates and rejections, by trials. */
export interface Records {
  readonly log: SearchLog;
  /** Decides on a trial that was run on all examples that judge. */
  settle(trial: Trial): void;
  /** Rejects a trial that was run on some of them only. */
  leave(trial: Trial): void;
}

/** @param panel ids of the examples that judge, in the order of val */
export function startRecords(
  space: SearchSpace,
  run: OptimizerRun,
  panel: readonly string[],
): Records {
  const log = searchLog(run, space);
  const evaluation = ({ rollouts }: Pick<Trial, "rollouts">): StepEvaluation => {
    const byId = new Map(rollouts.map((rollout) => [rollout.exampleId, rollout]));
    return run.summarize(
      "val",
      panel.flatMap((id) => byId.get(id) ?? []),
    );
  };
  const [seen, all] = [panel.length, space.val.length];
  return {
    log,
    settle: (trial) => {
      const found = selectionOf(evaluation(trial));
      log.decide(trial.components, {
        by: "mipro-v2",
        selection: found && onPart(found, seen, all),
        where: seen === all ? "on val" : `on ${seen} examples of val`,
      });
    },
    leave: (trial) => {
      const { value, scores } = evaluation(trial);
      const seen = Object.values(scores).filter((score) => score !== null).length;
      const detail =
        value === null
          ? "Faults left no score."
          : `${value.toFixed(4)} on ${seen} examples of val; others promised more, and were run on the rest.`;
      log.reject(trial.components, value === null ? "low-coverage" : "not-better-on-val", detail);
    },
  };
}
