import type { Candidate } from "../../contract/index.ts";
import { componentId } from "../../internal/index.ts";
import { maxFitting } from "../budget/index.ts";
import { predictorOf } from "../candidate/components.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { SearchLog } from "../contract/search-log.ts";
import { goodScore } from "../demonstrations/index.ts";
import type { Rollout } from "../evaluation/index.ts";
import { bootstrapRollouts, demonstrationPool } from "../few-shot/bootstrap.ts";
import { reflectiveCases, teaches } from "../proposal/case/reflective-cases.ts";
import { ownLabels } from "../proposal/check/proposal-check.ts";
import { defaultChecks } from "../proposal/check/proposal-checks.ts";
import { checkedText, rejectedText } from "../proposal/checked-text.ts";
import type { ProposalRequest } from "../proposal/proposer.ts";
import { reflectiveProposer } from "../proposal/reflective-proposer.ts";
import { isText } from "../task/search-space.ts";
import type { SearchSpace, TextComponent } from "../task/search-space.ts";
import type { Dimensions, Options } from "./choices.ts";
import { demoSets, extended, isSamePlace, setSizes } from "./choices.ts";
import type { Sizes } from "./sizes.ts";
import { instructionsOf, runsPerText } from "./sizes.ts";

/** Makes what trials choose from. */
export interface Workshop {
  /** Rollouts of train so far. */
  readonly onTrain: ReadonlySet<Rollout>;
  /** Runs train, makes sets of demonstrations, and asks for the first instructions. */
  first(choices: readonly Options[]): Promise<readonly Options[]>;
  /** Runs the best combination on train, and adds what its runs give to the choices. */
  next(best: Candidate, choices: readonly Options[]): Promise<readonly Options[]>;
}

export function startWorkshop(
  space: SearchSpace,
  run: OptimizerRun,
  {
    dimensions: { texts },
    sizes,
    log,
  }: { readonly dimensions: Dimensions; readonly sizes: Sizes; readonly log: SearchLog },
): Workshop {
  const useful = sizes.rounds * (sizes.candidates - 1) * texts.length;
  const calls = maxFitting(useful, (reflectionCalls) => run.fits({ rollouts: 0, reflectionCalls }));
  const counts = instructionsOf(calls, texts.length, sizes);
  /** What was paid for before comes back the same. */
  const onTrain = new Set<Rollout>();
  const note = (added: readonly Rollout[]): void => {
    for (const rollout of added) onTrain.add(rollout);
    log.spent();
  };
  let round = 0;

  return {
    onTrain,
    first: async (choices) => {
      if (sizes.bootstrapping > 0) note(await bootstrapRollouts(space, run, setSizes));
      log.beginIteration();
      const found = await extend(choices, space.components, [...onTrain]);
      log.endIteration();
      return found;
    },
    next: async (best, choices) => {
      const random = run.random("mipro-v2/lessons", round);
      const ids = new Set(random.sample(space.train, sizes.lessons));
      const exampleIds = space.train.filter((id) => ids.has(id));
      const [rollouts = []] = await run.evaluate([{ candidate: best, split: "train", exampleIds }]);
      note(rollouts);
      return extend(choices, best, rollouts);
    },
  };

  /** Adds sets of demonstrations from all runs of train so far, and instructions from some. */
  async function extend(
    choices: readonly Options[],
    present: Candidate,
    rollouts: readonly Rollout[],
  ): Promise<readonly Options[]> {
    const known = [...onTrain];
    const pool = demonstrationPool(space, known, { ...setSizes, threshold: goodScore(known) });
    const written = await instructions(choices, present, rollouts);
    const found = choices.map((options) => {
      const [own] = options;
      if (own.kind !== "demos") {
        return extended(
          options,
          written.filter((text) => isSamePlace(text, own)),
        );
      }
      const random = run.random(`mipro-v2/demonstrations/${own.path}`, round);
      return extended(options, demoSets(own, pool, { most: sizes.candidates, random }));
    });
    round++;
    return found;
  }

  /**
   * Asks for instructions of each step, all side by side, as `gepa()` does; each from other runs,
   * so that they differ. Returns those that passed all checks.
   */
  async function instructions(
    choices: readonly Options[],
    present: Candidate,
    rollouts: readonly Rollout[],
  ): Promise<readonly TextComponent[]> {
    const requests = texts
      .map((text) => present.filter(isText).find((one) => isSamePlace(one, text)) ?? text)
      .flatMap((text) =>
        Array.from({ length: counts[round] ?? 0 }, (_, index) =>
          requestFor(text, rollouts, index + 1),
        ),
      )
      .filter(({ cases }) => cases.length > 0);
    const isAffordable = run.fits({ rollouts: 0, reflectionCalls: requests.length });
    const written =
      requests.length > 0 && isAffordable ? await reflectiveProposer().propose(requests, run) : [];
    log.spent();
    const labels = ownLabels(space);
    const passed: TextComponent[] = [];
    for (const [index, proposed] of written.entries()) {
      const request = requests[index] as ProposalRequest;
      const { component } = request;
      const isTried = (value: string): boolean =>
        [...choices.flat(), ...passed].some(
          (one) => isSamePlace(one, component) && one.value === value,
        );
      const given = { checks: defaultChecks(), isTried, labels };
      const found = checkedText(proposed, request, given);
      if (found.ok) passed.push({ ...component, value: found.text });
      else log.refuse([{ iteration: log.iteration, ...rejectedText(component, found, [0]) }]);
    }
    return passed;
  }

  function requestFor(
    component: TextComponent,
    rollouts: readonly Rollout[],
    number: number,
  ): ProposalRequest {
    const name = `mipro-v2/proposal/${round}/${componentId(component)}`;
    const predictor = predictorOf(component);
    const telling = rollouts.filter((one) => teaches(one, predictor));
    const shown = run.random(name, number).sample(telling, runsPerText);
    return {
      id: `${name}/${number}`,
      component,
      place: space.describe(component),
      candidate: space.components,
      cases: reflectiveCases(shown, predictor),
    };
  }
}
