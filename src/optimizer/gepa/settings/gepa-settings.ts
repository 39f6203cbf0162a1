import { EspalierError } from "../../../errors/index.ts";
import type { JsonObject } from "../../../contract/index.ts";
import { checkAtLeast, checkCount, mapValues, optionOutside } from "../../../internal/index.ts";
import type { Strategy } from "../../contract/optimizer.ts";
import { strictImprovement, neutralByTraining, allPassed } from "../strategy/acceptance.ts";
import { jointComponents } from "../strategy/components.ts";
import type { ScoreReuse } from "../evidence/rollout-memory.ts";
import { scoreReuses } from "../evidence/rollout-memory.ts";
import type { MergeProposal } from "../strategy/merge-proposal.ts";
import { targetedLessons } from "../strategy/targeted-lessons.ts";
import { bestOrParetoParent } from "../strategy/parents.ts";
import { defaultChecks } from "../../proposal/check/proposal-checks.ts";
import type { Proposer } from "../../proposal/proposer.ts";
import { reflectiveProposer } from "../../proposal/reflective-proposer.ts";
import { sameParent } from "../strategy/parents.ts";
import type { FrontierKind } from "../strategy/frontier.ts";
import { frontierKinds } from "../strategy/frontier.ts";
import type { ProposalCheck } from "../../proposal/check/proposal-check.ts";
import type {
  ComponentSelection,
  MinibatchAcceptance,
  MinibatchSampling,
  ParentSelection,
  ProposalSampling,
  ProposalSelection,
  Stopper,
  ValAcceptance,
} from "../strategy/strategy.ts";
import type { GepaOptions } from "./gepa-options.ts";
import { checkOptionNames } from "./gepa-options.ts";

/** Options with their defaults filled in. */
export interface GepaSettings {
  readonly components: readonly string[];
  readonly minibatchSize: number;
  /** `null`: all of val; `undefined`: by the budget. */
  readonly valSample: number | null | undefined;
  readonly perfectScore: number | null;
  readonly stopWhenPerfect: boolean;
  readonly maxReflectionFailures: number;
  /** `null`: two epochs of `minibatchSize`, at least 30. */
  readonly maxIdleIterations: number | null;
  readonly scoreReuse: ScoreReuse;
  readonly gateAbove: number | null;
  readonly secondTries: number;
  readonly parent: ParentSelection;
  readonly frontier: FrontierKind;
  readonly minibatch: MinibatchSampling;
  readonly component: ComponentSelection;
  readonly proposals: ProposalSampling;
  readonly minibatchAcceptance: MinibatchAcceptance;
  readonly valAcceptance: ValAcceptance;
  readonly selection: ProposalSelection;
  readonly merge: MergeProposal | null;
  readonly checks: readonly ProposalCheck[];
  readonly proposer: Proposer;
  readonly stop: readonly Stopper[];
}

/**
 * Fills in defaults; throws `option-invalid` for values outside their range and for unknown names.
 */
export function gepaSettings(options: GepaOptions): GepaSettings {
  checkOptionNames(options);
  const { reflection = {}, search = {}, acceptance = {}, stop = {} } = options;
  const { minibatchSize = 3, component = jointComponents() } = search;
  const { scoreReuse = "trace", frontier = "instance" } = search;
  const { maxTextLength = 12_000, sampling } = reflection;
  checkOneOf("scoreReuse", scoreReuse, scoreReuses);
  checkOneOf("frontier", frontier, frontierKinds);
  checkCount("minibatchSize", minibatchSize, 1, "gepa()");
  checkCount("maxTextLength", maxTextLength, 1, "gepa()");
  const settings: GepaSettings = {
    components: options.components ?? ["instruction"],
    minibatchSize,
    valSample: search.valSample,
    perfectScore: search.perfectScore === undefined ? 1 : search.perfectScore,
    stopWhenPerfect: stop.whenPerfect ?? false,
    maxReflectionFailures: stop.maxReflectionFailures ?? 5,
    maxIdleIterations: stop.maxIdleIterations ?? null,
    scoreReuse,
    gateAbove: acceptance.gateAbove === undefined ? 4 : acceptance.gateAbove,
    secondTries: reflection.secondTries ?? 1,
    parent: search.parent ?? bestOrParetoParent(),
    frontier,
    minibatch:
      search.minibatch ??
      targetedLessons({
        ...(search.minibatchSize !== undefined && { size: minibatchSize }),
        components: component,
      }),
    component,
    proposals: search.proposals ?? sameParent(),
    minibatchAcceptance: acceptance.minibatch ?? strictImprovement(),
    valAcceptance: acceptance.val ?? neutralByTraining(),
    selection: acceptance.selection ?? allPassed(),
    merge: search.merge ?? null,
    checks: reflection.checks ?? defaultChecks({ maxTextLength }),
    proposer: reflection.proposer ?? reflectiveProposer({ ...(sampling && { sampling }) }),
    stop: stop.when ?? [],
  };
  checkCount("maxReflectionFailures", settings.maxReflectionFailures, 1, "gepa()");
  checkCount("maxIdleIterations", settings.maxIdleIterations ?? 1, 1, "gepa()");
  checkCount("secondTries", settings.secondTries, 0, "gepa()");
  checkCount("valSample", settings.valSample ?? 1, 1, "gepa()");
  checkAtLeast("gateAbove", settings.gateAbove ?? 0, 0, "gepa()");
  checkAtLeast("perfectScore", settings.perfectScore ?? 0, -Infinity, "gepa()");
  rejectIneffective("maxTextLength", reflection.maxTextLength, "checks", reflection.checks);
  rejectIneffective("sampling", sampling, "proposer", reflection.proposer);
  return Object.freeze(settings);
}

/**
 * Whether a child must first do better on its minibatch, where its evaluation on val would take
 * `onVal` rollouts.
 */
export function isGated(
  { gateAbove, minibatchSize }: Pick<GepaSettings, "gateAbove" | "minibatchSize">,
  onVal: number,
): boolean {
  if (gateAbove === null) return false;
  // 0 requires the minibatch even if nothing is missing on val.
  return gateAbove === 0 || onVal > gateAbove * minibatchSize;
}

function checkOneOf(option: string, value: string, words: readonly string[]): void {
  if (words.includes(value)) return;
  throw optionOutside(option, value, words.join(", "), "gepa()");
}

/** Rejects an option that another option makes ineffective. */
function rejectIneffective(name: string, value: unknown, other: string, given: unknown): void {
  if (value === undefined || given === undefined) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: `Option \`${name}\` of gepa() has no effect together with \`${other}\``,
    expected: "only one of the two",
    fix: `Configure the given \`${other}\` instead of \`${name}\`.`,
  });
}

/** Settings as plain JSON, with strategies by name and settings, for a run's description. */
export function describeSettings(settings: GepaSettings): JsonObject {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    const { name, settings: own } = value as Strategy;
    return own === undefined ? name : { name, ...own };
  };
  return mapValues<unknown, unknown>({ ...settings }, plain) as JsonObject;
}
