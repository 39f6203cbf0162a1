import { EspalierError } from "../../../errors/index.ts";
import type { JsonObject, LanguageModel, Sampling } from "../../../contract/index.ts";
import type { Budget } from "../../budget/index.ts";
import { strictImprovement } from "../acceptance/minibatch-acceptance.ts";
import { neutralByTraining } from "../acceptance/val-acceptance.ts";
import { jointComponents } from "../component/joint-components.ts";
import type { ScoreReuse } from "../score-reuse/rollout-memory.ts";
import { scoreReuses } from "../score-reuse/rollout-memory.ts";
import type { MergeProposal } from "../strategy/merge-proposal.ts";
import { targetedLessons } from "../minibatch/targeted-lessons.ts";
import { bestOrParetoParent } from "../parent/best-or-pareto-parent.ts";
import { defaultChecks } from "../proposal/proposal-checks.ts";
import type { Proposer } from "../proposal/proposer.ts";
import { reflectiveProposer } from "../proposal/reflective-proposer.ts";
import { sameParent } from "../sampling/proposal-sampling.ts";
import { allPassed } from "../selection/proposal-selection.ts";
import { checkAtLeast, checkCount, checkOneOf } from "../strategy/check-range.ts";
import type { FrontierKind } from "../strategy/frontier.ts";
import { frontierKinds } from "../strategy/frontier.ts";
import type {
  ComponentSelection,
  MinibatchAcceptance,
  MinibatchSampling,
  ParentSelection,
  ProposalCheck,
  ProposalSampling,
  ProposalSelection,
  Stopper,
  Strategy,
  ValAcceptance,
  ValidationPolicy,
} from "../strategy/strategy.ts";
import { racingValidation } from "../validation/racing-validation.ts";

export interface GepaOptions {
  /** May be left to the run. */
  readonly budget?: Budget;
  /** @default 0 */
  readonly seed?: number;
  /** Absent: the run's LM. */
  readonly reflectionLm?: LanguageModel;
  /**
   * Texts to evolve: kinds (`instruction`, `fieldDescription`) or single ones (`instruction:answer`).
   * @default ["instruction"]
   */
  readonly components?: readonly string[];
  /**
   * Training examples that a proposal learns from. Beside a `minibatch`, which has a size of its own,
   * only what `gateAbove` and the plan count by. @default 3
   */
  readonly minibatchSize?: number;
  /** An example scored so high teaches nothing; `null`: each does. @default 1 */
  readonly perfectScore?: number | null;
  /** Longest text proposed, in UTF-16 code units; part of the default `checks`. @default 12_000 */
  readonly maxTextLength?: number;
  /**
   * Whether to end once the best candidate is perfect on all of val; else what train still teaches is
   * learnt. @default false
   */
  readonly stopWhenPerfect?: boolean;
  /**
   * Failures of the reflection LM in a row that end the run: of all texts that it is asked for, or of
   * one component's. @default 5
   */
  readonly maxReflectionFailures?: number;
  /**
   * Iterations since the last new candidate for which no text was written that is worth a try: so many
   * end the run, since each costs reflection. @default two epochs, at least 30
   */
  readonly maxIdleIterations?: number | null;
  /** Of the reflection LM; part of the default `proposer`. @default temperature 1, at most 8,192 tokens */
  readonly sampling?: Partial<Sampling>;
  /** What a known rollout stands for beside itself. @default "trace" */
  readonly inheritance?: ScoreReuse;
  /**
   * When a child must first do better on its minibatch: where val would take more than so many times
   * the runs of a whole minibatch. 0: always; `null`: never, since an evaluation on val that falls
   * behind ends early and says more. @default null
   */
  readonly gateAbove?: number | null;
  /** Times that whoever writes is told why a text was refused, and asked again. @default 1 */
  readonly secondTries?: number;

  /** @default bestOrParetoParent() */
  readonly parent?: ParentSelection;
  /** @default "instance" */
  readonly frontier?: FrontierKind;
  /** @default targetedLessons() */
  readonly minibatch?: MinibatchSampling;
  /** Decides where the minibatch has not. @default jointComponents() */
  readonly component?: ComponentSelection;
  /** @default sameParent() */
  readonly proposals?: ProposalSampling;
  /** @default strictImprovement() */
  readonly minibatchAcceptance?: MinibatchAcceptance;
  /** @default neutralByTraining() */
  readonly valAcceptance?: ValAcceptance;
  /** @default allPassed() */
  readonly selection?: ProposalSelection;
  /** @default racingValidation() */
  readonly validation?: ValidationPolicy;
  /** @default none */
  readonly merge?: MergeProposal | null;
  /**
   * What texts are checked by. What a proposer gives, a custom one too, is first freed of what is not the
   * text: thinking before it, a code fence around it; an empty list takes it as it is.
   * @default defaultChecks()
   */
  readonly checks?: readonly ProposalCheck[];
  /** @default reflectiveProposer() */
  readonly proposer?: Proposer;
  /** Beside the budget, or in its place. @default none */
  readonly stop?: readonly Stopper[];
}

/** Options with their defaults filled in. */
export type GepaSettings = Required<
  Omit<GepaOptions, "budget" | "seed" | "reflectionLm" | "maxTextLength" | "sampling">
>;

/** Fills in defaults; refuses values outside their range with `option-invalid`. */
export function gepaSettings(options: GepaOptions): GepaSettings {
  const { minibatchSize = 3, maxTextLength = 12_000, sampling } = options;
  checkCount("minibatchSize", minibatchSize);
  checkCount("maxTextLength", maxTextLength);
  const component = options.component ?? jointComponents();
  const settings: GepaSettings = {
    components: options.components ?? ["instruction"],
    minibatchSize,
    perfectScore: options.perfectScore === undefined ? 1 : options.perfectScore,
    stopWhenPerfect: options.stopWhenPerfect ?? false,
    maxReflectionFailures: options.maxReflectionFailures ?? 5,
    maxIdleIterations: options.maxIdleIterations ?? null,
    inheritance: options.inheritance ?? "trace",
    gateAbove: options.gateAbove ?? null,
    secondTries: options.secondTries ?? 1,
    parent: options.parent ?? bestOrParetoParent(),
    frontier: options.frontier ?? "instance",
    minibatch: options.minibatch ?? targetedLessons({ size: minibatchSize, components: component }),
    component,
    proposals: options.proposals ?? sameParent(),
    minibatchAcceptance: options.minibatchAcceptance ?? strictImprovement(),
    valAcceptance: options.valAcceptance ?? neutralByTraining(),
    selection: options.selection ?? allPassed(),
    validation: options.validation ?? racingValidation(),
    merge: options.merge ?? null,
    checks: options.checks ?? defaultChecks({ maxTextLength }),
    proposer: options.proposer ?? reflectiveProposer({ ...(sampling && { sampling }) }),
    stop: options.stop ?? [],
  };
  checkCount("maxReflectionFailures", settings.maxReflectionFailures);
  checkCount("maxIdleIterations", settings.maxIdleIterations ?? 1);
  checkCount("secondTries", settings.secondTries, 0);
  checkAtLeast("gateAbove", settings.gateAbove ?? 0, 0);
  checkAtLeast("perfectScore", settings.perfectScore ?? 0, -Infinity);
  checkOneOf("inheritance", settings.inheritance, scoreReuses);
  checkOneOf("frontier", settings.frontier, frontierKinds);
  refuseUnheard("maxTextLength", options.maxTextLength, "checks", options.checks);
  refuseUnheard("sampling", sampling, "proposer", options.proposer);
  return Object.freeze(settings);
}

/** Refuses an option that another one leaves without effect. */
function refuseUnheard(name: string, value: unknown, other: string, given: unknown): void {
  if (value === undefined || given === undefined) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: `Option \`${name}\` of gepa() has no effect beside \`${other}\``,
    expected: `one of the two`,
    fix: `Give what \`${name}\` says to what is given as \`${other}\`.`,
  });
}

/** Settings as plain JSON: strategies by name and settings, for a run's description. */
export function describeSettings(settings: GepaSettings): JsonObject {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    const { name, settings: own } = value as Strategy;
    return own === undefined ? name : { name, ...own };
  };
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, plain(value)]),
  ) as JsonObject;
}
