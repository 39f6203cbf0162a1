import type { Candidate, Component } from "../../contract/index.ts";
import { componentId } from "../../internal/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { Rollout } from "../evaluation/index.ts";
import { bootstrapRollouts, demonstrationPool } from "../few-shot/bootstrap.ts";
import type { DemonstrationSet } from "../few-shot/draw-sets.ts";
import { isText } from "../task/search-space.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { Choice, Dimensions } from "./choices.ts";
import { extended, demoSets, setSizesOf } from "./choices.ts";
import { goodScore } from "../demonstrations/index.ts";
import type { Ground } from "./ground.ts";
import { groundOf } from "./ground.ts";
import { proposeInstructions } from "./propose-instructions.ts";
import type { Records } from "./trials.ts";
import type { Requests } from "./requests.ts";
import type { Sizes } from "./sizes.ts";
import { callsOf } from "./sizes.ts";

/** Makes what trials choose from. */
export interface Workshop {
  /** Predictors that ran on train. */
  readonly ran: ReadonlySet<string>;
  /** Runs train, makes sets of demonstrations, and asks for the first instructions. */
  first(): Promise<readonly Choice[]>;
  /** Runs the best combination on train, and adds what its runs give to the choices. */
  next(best: Candidate, choices: readonly Choice[]): Promise<readonly Choice[]>;
}

export function startWorkshop(
  space: SearchSpace,
  run: OptimizerRun,
  {
    dimensions,
    sizes,
    records,
  }: {
    readonly dimensions: Dimensions;
    readonly sizes: Sizes;
    readonly records: Records;
  },
): Workshop {
  const setSizes = setSizesOf(dimensions);
  const calls = callsOf(reflectionCallsLeft(run), {
    train: space.train.length,
    texts: dimensions.texts.length,
    sizes,
  });
  /** What was paid for before comes back the same. */
  const onTrain = new Set<Rollout>();
  const ran = new Set<string>();
  const note = (added: readonly Rollout[]): void => {
    for (const rollout of added) {
      onTrain.add(rollout);
      for (const predictor of rollout.ran) ran.add(predictor);
    }
    records.log.spent();
  };
  let round = 0;
  let requests: Requests | undefined;
  let ground: Ground = { data: "", program: "", steps: {} };

  /** Sets by predictor, from all runs of train so far. */
  const setsNow = (): ReadonlyMap<string, readonly DemonstrationSet[]> => {
    const rollouts = [...onTrain];
    const threshold = goodScore(rollouts);
    const pool = demonstrationPool(space, rollouts, { ...setSizes, threshold });
    return new Map(
      dimensions.demos.map(({ path }) => {
        const random = run.random(`mipro-v2/demonstrations/${path}`, round);
        return [path, demoSets(path, pool, { sizes: setSizes, most: sizes.candidates, random })];
      }),
    );
  };

  const extend = async (
    choices: readonly Choice[],
    { present, commented }: { readonly present: Candidate; readonly commented: readonly Rollout[] },
  ): Promise<readonly Choice[]> => {
    const sets = setsNow();
    const optionsOf = (component: Component): readonly Component[] =>
      choices.find(({ options }) => isSamePlace(options[0], component))?.options ?? [];
    const proposed = await proposeInstructions(space, run, (requests ??= await load()), {
      round,
      iteration: records.log.iteration,
      count: calls.instructions[round] ?? 0,
      present: dimensions.texts.map(
        (text) => present.filter(isText).find((one) => isSamePlace(one, text)) ?? text,
      ),
      isKnown: (text) => optionsOf(text).some(({ value }) => value === text.value),
      ground,
      setsOf: (predictor) => sets.get(predictor) ?? [],
      commented,
    });
    records.log.spent();
    records.log.refuse(proposed.rejections);
    round++;
    return choices.map((choice): Choice => {
      const [own] = choice.options;
      if (own.kind !== "demos") {
        return extended(
          choice,
          proposed.texts.filter((text) => isSamePlace(text, own)),
        );
      }
      const { kind, path } = own;
      const made = (sets.get(path) ?? []).map((set) => ({
        kind,
        path,
        value: set.map(({ demonstration }) => demonstration),
      }));
      return extended(choice, made);
    });
  };

  return {
    ran,
    first: async () => {
      if (sizes.bootstrapping > 0) note(await bootstrapRollouts(space, run, setSizes));
      records.log.beginIteration();
      requests = await load();
      ground = await groundOf(space, run, {
        requests,
        rollouts: [...onTrain],
        texts: dimensions.texts,
        calls: calls.ground,
      });
      const all = [...dimensions.texts, ...dimensions.shown];
      const own = all.map((component): Choice => ({ options: [component] }));
      const choices = await extend(own, { present: space.components, commented: [] });
      records.log.endIteration();
      return choices;
    },
    next: async (best, choices) => {
      const random = run.random("mipro-v2/lessons", round);
      const ids = new Set(random.sample(space.train, sizes.lessons));
      const exampleIds = space.train.filter((id) => ids.has(id));
      const [rollouts = []] = await run.evaluate([{ candidate: best, split: "train", exampleIds }]);
      note(rollouts);
      const commented = rollouts.filter(isCommented);
      return extend(choices, { present: best, commented });
    },
  };
}

/** Whether a metric said more than a score, or a run failed. */
function isCommented({ lesson }: Rollout): boolean {
  const { feedback = "", blame = [], failure } = lesson ?? {};
  return feedback !== "" || blame.length > 0 || failure !== undefined;
}

/** Loaded with the first use, since it loads what renders prompts. */
async function load(): Promise<Requests> {
  const { requests } = await import("./requests.ts");
  return requests;
}

function isSamePlace(one: Component, other: Component): boolean {
  return componentId(one) === componentId(other);
}

/** The most calls of the reflection LM that still fit, up to as many as a search could use. */
function reflectionCallsLeft(run: OptimizerRun): number {
  let [fits, beyond] = [0, 1_000];
  while (beyond - fits > 1) {
    const middle = Math.floor((fits + beyond) / 2);
    if (run.fits({ rollouts: 0, reflectionCalls: middle })) fits = middle;
    else beyond = middle;
  }
  return fits;
}
