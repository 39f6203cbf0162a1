import type { JsonObject, LanguageModel } from "../../../contract/index.ts";
import { EspalierError } from "../../../errors/index.ts";
import { checkCount, componentId } from "../../../internal/index.ts";
import type { Budget } from "../../budget/index.ts";
import type { ProposalCheck } from "../../proposal/check/proposal-check.ts";
import { defaultChecks } from "../../proposal/check/proposal-checks.ts";
import type { Proposer } from "../../proposal/proposer.ts";
import { reflectiveProposer } from "../../proposal/reflective-proposer.ts";
import type { SearchSpace } from "../../task/search-space.ts";

export interface JointSearchOptions {
  /** Optional here; the run can set it. */
  readonly budget?: Budget;
  /** @default 0 */
  readonly seed?: number;
  /**
   * What may change: kinds (`instruction`, `fieldDescription`, `toolDescription`, `demos`,
   * `parameter`) or single components (`instruction:answer`).
   *
   * @default ["instruction", "demos", "parameter"]
   */
  readonly components?: readonly string[];
  readonly reflection?: {
    /** @default the run's LM */
    readonly lm?: LanguageModel;
    /** @default reflectiveProposer() */
    readonly proposer?: Proposer;
    /** Checks for proposed texts. @default defaultChecks() */
    readonly checks?: readonly ProposalCheck[];
  };
  readonly demonstrations?: {
    /** Maximum number in one prompt. @default 5; where `autoSearch()` shows labels first, 16 */
    readonly most?: number;
    /**
     * Lowest score of a run on train that gives demonstrations.
     * @default .7 of a perfect score; the upper quartile of the first runs if none is that high
     */
    readonly minScore?: number;
  };
  /** A run with a score this high teaches no text. @default 1 */
  readonly perfectScore?: number;
}

/** Options with their defaults filled in. */
export interface JointSearchSettings {
  readonly components: readonly string[];
  readonly proposer: Proposer;
  readonly checks: readonly ProposalCheck[];
  readonly mostDemonstrations: number;
  /** Absent: the first runs say. */
  readonly demonstrationScore?: number;
  readonly perfectScore: number;
}

/** Fills in defaults; throws `option-invalid` for values outside their range. */
export function jointSearchSettings({
  components = ["instruction", "demos", "parameter"],
  reflection: { proposer = reflectiveProposer(), checks = defaultChecks() } = {},
  demonstrations: { most = 5, minScore } = {},
  perfectScore = 1,
}: JointSearchOptions): JointSearchSettings {
  checkCount("demonstrations.most", most, 1, owner);
  return Object.freeze({
    components: Object.freeze([...components]),
    proposer,
    checks,
    mostDemonstrations: most,
    ...(minScore !== undefined && { demonstrationScore: minScore }),
    perfectScore,
  });
}

/** Settings as plain JSON, for a run's description. */
export function describeSettings({
  proposer,
  checks,
  ...settings
}: JointSearchSettings): JsonObject {
  const described = ({ name, settings: own }: Proposer | ProposalCheck): string | JsonObject =>
    own === undefined ? name : { name, ...own };
  return { ...settings, proposer: described(proposer), checks: checks.map(described) };
}

/**
 * Places of the components that may change. Throws `component-unknown` for a selector that matches
 * nothing that the program has, unless it is a kind.
 */
export function changeablePlaces(
  { name, components, parameters = {} }: SearchSpace,
  selectors: readonly string[],
): readonly number[] {
  const isSelected = (component: SearchSpace["components"][number]): boolean =>
    selectors.includes(component.kind) || selectors.includes(componentId(component));
  const kinds = ["instruction", "fieldDescription", "toolDescription", "demos", "parameter"];
  const unknown = selectors.find(
    (selector) =>
      !kinds.includes(selector) && !components.some((one) => componentId(one) === selector),
  );
  const places = components.flatMap((component, place) => {
    const isSearchable =
      component.kind !== "parameter" || Object.hasOwn(parameters, component.path);
    return isSearchable && isSelected(component) ? [place] : [];
  });
  if (unknown === undefined && places.length > 0) return places;
  throw new EspalierError({
    code: "component-unknown",
    problem: `${owner} ${unknown === undefined ? "has nothing to change" : `cannot change \`${unknown}\``} in \`${name}\``,
    expected: [...kinds, ...components.map(componentId)].join(", "),
  });
}

const owner = "jointSearch()";

/** Rollouts of one trial: as many of train, which teach, as of val, which count. */
export const trialSize = 4;

/** Trials from one reflection to the next. */
export const trialsPerText = 2;

/** Rollouts from which a search is long: it can tell more, and has more for chance to offer. */
export const longSearch = 400;

/** How a search spends its budget. */
interface Allotment {
  /** Rollouts of the program as it is, before anything else. */
  readonly firstLook: number;
  /** Rollouts kept for the race at the end. */
  readonly race: number;
  /** Maximum number of texts to request. */
  readonly texts: number;
}

const firstLookShare = 0.2;
/** Of the rollouts that are left, too, where the search goes on after a race. */
export const raceShare = 0.25;
/** Of rollouts without a cap that can be counted. */
const nominalEpochs = 10;
const mostTexts = 200;

/**
 * Texts grow with the square root of the rollouts, since each takes rollouts to find out what it is
 * worth.
 */
export function allotment(rollouts: number, space: Pick<SearchSpace, "train" | "val">): Allotment {
  const counted = countedRollouts(rollouts, space);
  const examples = space.train.length + space.val.length;
  return {
    firstLook: Math.max(2, Math.min(Math.round(firstLookShare * counted), examples)),
    race: Math.round(raceShare * counted),
    texts: Math.min(mostTexts, Math.ceil(1.6 * Math.sqrt(counted))),
  };
}

/** Fewer trials say too little about any lever. */
const fewestTrials = 5;

/** Rollouts for a first look, the fewest trials and a race. */
export const fewestRollouts: number = Math.ceil(
  (fewestTrials * trialSize) / (1 - firstLookShare - raceShare),
);

/** The rollouts that a search counts with. */
export function countedRollouts(
  rollouts: number,
  space: Pick<SearchSpace, "train" | "val">,
): number {
  return Number.isFinite(rollouts)
    ? rollouts
    : nominalEpochs * (space.train.length + space.val.length);
}
