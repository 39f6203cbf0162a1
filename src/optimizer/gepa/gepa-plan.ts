import type { Budget } from "../budget/index.ts";
import type { OptimizerPlan, PlannedProposals } from "../optimizer-plan.ts";
import { predictorCount } from "../predictor-count.ts";
import type { SearchSpace } from "../search-space.ts";
import type { GepaSettings } from "./gepa-settings.ts";

/** Fewer proposals than these say nothing about a program. */
const fewestUseful = 3;
/** A val smaller than this should not be made smaller still. */
const largeVal = 50;

/** What a proposal takes, in metric calls and in texts. */
interface Shape {
  readonly refused: number;
  readonly typicallyRefused: number;
  readonly accepted: number;
  /** Texts of one proposal at most, second tries included. */
  readonly texts: number;
  /** Metric calls on train before the first proposal. */
  readonly exploration: number;
}

/**
 * What a budget allows. A proposal is taken to need all of val: what scores can be inherited is not known
 * before the run, so that there may be more proposals than are said here, and not fewer.
 */
export function gepaPlan(
  space: SearchSpace,
  budget: Budget,
  { settings, components }: { readonly settings: GepaSettings; readonly components: number },
): OptimizerPlan {
  const seedEvaluation = space.val.length;
  const shape = shapeOf(space, settings, components);
  const predictors = predictorCount(space.components);
  const { reflectionCalls = Infinity, lmCalls } = budget;
  // A rollout takes about one call of each predictor.
  const byCalls = lmCalls === undefined ? Infinity : Math.floor(lmCalls / Math.max(1, predictors));
  const most = Math.min(budget.metricCalls ?? Infinity, byCalls);
  const metricCalls = most === Infinity ? undefined : most;
  const caps: Budget = { ...budget, ...(metricCalls !== undefined && { metricCalls }) };
  const proposals = proposalsIn(caps, seedEvaluation, shape);
  const { refused, accepted, texts } = shape;
  const enough = proposals === null || proposals.least >= fewestUseful;
  return {
    seedEvaluation,
    perProposal: { refused, accepted },
    proposals,
    fullValidations: proposals && 1 + proposals.least,
    calls:
      proposals === null || metricCalls === undefined
        ? null
        : {
            student: metricCalls * predictors,
            reflection: Math.min(reflectionCalls, proposals.expected * Math.min(texts, components)),
          },
    examplesPerText: Math.min(settings.minibatchSize, space.train.length),
    warnings: enough ? [] : [fewProposals(caps, proposals.least, seedEvaluation, shape)],
  };
}

function shapeOf({ train, val }: SearchSpace, settings: GepaSettings, components: number): Shape {
  const { minibatchSize, gateAbove, inheritance, validation, minibatch, component } = settings;
  const size = Math.min(minibatchSize, train.length);
  const isGated = gateAbove !== null && val.length > gateAbove * size;
  const onTrain = isGated ? 2 * size : size;
  const group = numberIn(validation.settings, "size") ?? val.length;
  const early = validation.stop === undefined ? val.length : Math.min(group, val.length);
  const atATime = component.name === "round-robin" ? 1 : components;
  const isInherited = inheritance === "trace" || inheritance === "trace-always";
  return {
    // The example that a text is about runs it, whatever else is inherited.
    refused: isInherited ? 1 : isGated ? onTrain : onTrain + early,
    typicallyRefused: isGated ? onTrain : onTrain + early,
    accepted: onTrain + val.length,
    texts: atATime * (1 + settings.secondTries),
    exploration: Math.min(numberIn(minibatch.settings, "initial") ?? 0, train.length),
  };
}

function numberIn(settings: object | undefined, name: string): number | undefined {
  const value: unknown =
    settings === undefined
      ? undefined
      : Object.entries(settings).find(([key]) => key === name)?.[1];
  return typeof value === "number" ? value : undefined;
}

function proposalsIn(
  { metricCalls, reflectionCalls }: Budget,
  seedEvaluation: number,
  { refused, typicallyRefused, accepted, texts, exploration }: Shape,
): PlannedProposals | null {
  if (metricCalls === undefined && reflectionCalls === undefined) return null;
  const left = Math.max(0, (metricCalls ?? Infinity) - seedEvaluation - exploration);
  const byText = reflectionCalls ?? Infinity;
  // One begins only where it could be accepted.
  const most = left < accepted ? 0 : Math.floor((left - accepted) / refused) + 1;
  const typical = (typicallyRefused + accepted) / 2;
  return {
    least: Math.min(Math.floor(left / accepted), Math.floor(byText / texts)),
    expected: Math.min(Math.floor(left / typical), most, Math.floor((2 * byText) / (1 + texts))),
    most: Math.min(most, byText),
  };
}

function fewProposals(
  { metricCalls, reflectionCalls }: Budget,
  least: number,
  seed: number,
  { accepted, texts, exploration }: Shape,
): string {
  const needed = seed + exploration + fewestUseful * accepted;
  const has = `no more than ${least} ${least === 1 ? "proposal" : "proposals"}`;
  if (metricCalls === undefined || metricCalls >= needed) {
    return (
      `A budget of ${reflectionCalls} reflection calls may allow ${has}: one takes up to ${texts}. ` +
      `Give ${fewestUseful * texts} or more.`
    );
  }
  const first = exploration === 0 ? "" : `, ${exploration} runs on train come first`;
  return (
    `A budget of ${metricCalls} metric calls may allow ${has}: the seed's evaluation takes ${seed}${first}, ` +
    `each accepted proposal up to ${accepted}. Give ${needed} or more${seed > largeVal ? ", or make val smaller" : ""}.`
  );
}
