import type { LanguageModel, Sampling } from "../../../contract/index.ts";
import { EspalierError } from "../../../errors/index.ts";
import type { Budget } from "../../budget/index.ts";
import type { Proposer } from "../proposal/proposer.ts";
import type { ScoreReuse } from "../score-reuse/rollout-memory.ts";
import type { FrontierKind } from "../strategy/frontier.ts";
import type { MergeProposal } from "../strategy/merge-proposal.ts";
import type {
  ComponentSelection,
  MinibatchAcceptance,
  MinibatchSampling,
  ParentSelection,
  ProposalCheck,
  ProposalSampling,
  ProposalSelection,
  Stopper,
  ValAcceptance,
  ValidationPolicy,
} from "../strategy/strategy.ts";

export interface GepaOptions {
  /** May be left to the run. */
  readonly budget?: Budget;
  /** @default 0 */
  readonly seed?: number;
  /**
   * Texts to evolve: kinds (`instruction`, `fieldDescription`) or single ones
   * (`instruction:answer`).
   * @default ["instruction"]
   */
  readonly components?: readonly string[];
  /** How texts are written and checked. */
  readonly reflection?: ReflectionOptions;
  /** What a proposal starts from and learns from. */
  readonly search?: SearchOptions;
  /** How a child shows that it is better. */
  readonly acceptance?: AcceptanceOptions;
  /** What ends the run, beside the budget. */
  readonly stop?: StopOptions;
}

export interface ReflectionOptions {
  /** @default the run's LM */
  readonly lm?: LanguageModel;
  /** Of `lm`; part of the default `proposer`. @default temperature 1, at most 8,192 tokens */
  readonly sampling?: Partial<Sampling>;
  /** @default reflectiveProposer() */
  readonly proposer?: Proposer;
  /**
   * What texts are checked by. What a proposer gives, a custom one too, is first freed of what is
   * not the text: thinking before it, a code fence around it; an empty list takes it as it is.
   * @default defaultChecks()
   */
  readonly checks?: readonly ProposalCheck[];
  /** Longest text proposed, in UTF-16 code units; part of the default `checks`. @default 12_000 */
  readonly maxTextLength?: number;
  /** How often the proposer is told why a text was rejected, and asked again. @default 1 */
  readonly secondTries?: number;
}

export interface SearchOptions {
  /** @default bestOrParetoParent() */
  readonly parent?: ParentSelection;
  /** @default "instance" */
  readonly frontier?: FrontierKind;
  /** @default targetedLessons() */
  readonly minibatch?: MinibatchSampling;
  /**
   * Training examples that a proposal learns from. Beside a `minibatch`, which has a size of its
   * own, only what `acceptance.gateAbove` and the plan count by. @default 3
   */
  readonly minibatchSize?: number;
  /** Decides what to change where the minibatch has not. @default jointComponents() */
  readonly component?: ComponentSelection;
  /** @default sameParent() */
  readonly proposals?: ProposalSampling;
  /** @default none */
  readonly merge?: MergeProposal | null;
  /** An example scored so high teaches nothing; `null`: each does. @default 1 */
  readonly perfectScore?: number | null;
  /** What a known score stands for beside itself. @default "trace" */
  readonly scoreReuse?: ScoreReuse;
}

export interface AcceptanceOptions {
  /**
   * When a child must first do better on its minibatch: where val would take more than so many
   * times the runs of a whole minibatch. 0: always; `null`: never, since an evaluation on val that
   * falls behind ends early and says more. @default null
   */
  readonly gateAbove?: number | null;
  /** Judges a child by its minibatch. @default strictImprovement() */
  readonly minibatch?: MinibatchAcceptance;
  /** @default allPassed() */
  readonly selection?: ProposalSelection;
  /** @default racingValidation() */
  readonly validation?: ValidationPolicy;
  /** Judges a child by val. @default neutralByTraining() */
  readonly val?: ValAcceptance;
}

export interface StopOptions {
  /** Beside the budget, or in its place. @default none */
  readonly when?: readonly Stopper[];
  /**
   * Whether to end once the best candidate is perfect on all of val; else what train still teaches
   * is learnt. @default false
   */
  readonly whenPerfect?: boolean;
  /**
   * Iterations since the last new candidate for which no text was written that is worth a try: so
   * many end the run, since each costs reflection. @default two epochs, at least 30
   */
  readonly maxIdleIterations?: number | null;
  /**
   * Failures of the proposer in a row that end the run: of all texts that it is asked for, or of
   * one component's. @default 5
   */
  readonly maxReflectionFailures?: number;
}

/** The options of each group, with the name that each had when options were not grouped. */
const groups = {
  reflection: {
    lm: "reflectionLm",
    sampling: "sampling",
    proposer: "proposer",
    checks: "checks",
    maxTextLength: "maxTextLength",
    secondTries: "secondTries",
  },
  search: {
    parent: "parent",
    frontier: "frontier",
    minibatch: "minibatch",
    minibatchSize: "minibatchSize",
    component: "component",
    proposals: "proposals",
    merge: "merge",
    perfectScore: "perfectScore",
    scoreReuse: "inheritance",
  },
  acceptance: {
    gateAbove: "gateAbove",
    minibatch: "minibatchAcceptance",
    selection: "selection",
    validation: "validation",
    val: "valAcceptance",
  },
  stop: {
    when: "stop",
    whenPerfect: "stopWhenPerfect",
    maxIdleIterations: "maxIdleIterations",
    maxReflectionFailures: "maxReflectionFailures",
  },
} as const satisfies {
  readonly [Group in "reflection" | "search" | "acceptance" | "stop"]: Readonly<
    Record<keyof Required<GepaOptions>[Group], string>
  >;
};

const ungrouped: readonly string[] = ["budget", "seed", "components"];

/** Where each option that had another name before is found now: `acceptance.val`. */
export const movedOptions: ReadonlyMap<string, string> = new Map(
  Object.entries(groups).flatMap(([group, names]) =>
    Object.entries(names).map(([name, before]) => [before, `${group}.${name}`] as const),
  ),
);

/**
 * Refuses names that gepa() does not know with `option-invalid`, and says where an old one is now.
 */
export function checkOptionNames(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (name in groups && !Array.isArray(value)) {
      checkNamesIn(name as keyof typeof groups, (value ?? {}) as object);
    } else if (!ungrouped.includes(name)) throw unknownOption(name);
  }
}

function checkNamesIn(group: keyof typeof groups, options: object): void {
  for (const name of Object.keys(options)) {
    if (!(name in groups[group]))
      throw unknownOption(`${group}.${name}`, Object.keys(groups[group]));
  }
}

function unknownOption(
  name: string,
  known: readonly string[] = [...ungrouped, ...Object.keys(groups)],
): EspalierError {
  const now = movedOptions.get(name);
  return new EspalierError({
    code: "option-invalid",
    problem: `gepa() has no option \`${name}\`${now === undefined ? "" : ` any more: it is \`${now}\` now`}`,
    expected: now === undefined ? known.map((one) => `\`${one}\``).join(", ") : `\`${now}\``,
    got: `\`${name}\``,
    ...(now !== undefined && {
      fix: `Write \`${now.replace(".", ": { ")}: ... }\`.`,
    }),
  });
}
