import type { JsonObject, LanguageModel } from "../../contract/index.ts";
import { checkAtLeast, checkCount, optionOutside } from "../../internal/index.ts";
import type { Budget } from "../budget/index.ts";
import type { ProposalCheck } from "../proposal/check/proposal-check.ts";
import { defaultChecks } from "../proposal/check/proposal-checks.ts";

export interface MiproV2Options {
  /** Optional here; the run can set it. The sizes of a search follow from it. */
  readonly budget?: Budget;
  /** @default 0 */
  readonly seed?: number;
  /**
   * Most demonstrations of a predictor that come from runs. 0, together with `maxLabelled: 0`: no
   * prompt shows any, and only instructions are searched; runs still inform their writer.
   * @default 4
   */
  readonly maxBootstrapped?: number;
  /**
   * Most demonstrations of a predictor in all, where labels (named like its outputs, or a study's
   * `gold`) add to those from runs. @default 4
   */
  readonly maxLabelled?: number;
  /**
   * Instructions and sets of demonstrations for each predictor, its own among them. At least 2.
   * @default by the budget, 4 to 18
   */
  readonly candidates?: number;
  /**
   * Times that instructions are written. 1: beforehand alone, as MIPROv2 does. With more, later
   * ones are written from runs of the best combination so far on train, and what was said of them;
   * such runs also give new sets of demonstrations. @default by the budget, 1 to 6
   */
  readonly rounds?: number;
  /** Most combinations tried besides the program as it is. @default by the budget */
  readonly trials?: number;
  /** Examples of val in one trial. @default by the budget, a quarter of those that judge, or 12 */
  readonly minibatchSize?: number;
  /**
   * What may change: kinds (`instruction`, `demos`, `parameter`) or single components
   * (`instruction:answer`), at least one instruction among them. @default all three kinds
   */
  readonly components?: readonly string[];
  /**
   * Lowest score of a run that gives demonstrations. @default 0.7 where any run
   * reaches it; else the upper quartile of train's scores, or the lowest score above 0 if that
   * is higher
   */
  readonly threshold?: number;
  /** Longest demonstration as JSON, in UTF-16 code units; longer are left out. @default 8000 */
  readonly longest?: number;
  /** Runs the program on train. @default the program's own LM and temperatures */
  readonly teacher?: { readonly lm?: LanguageModel; readonly temperature?: number };
  readonly reflection?: {
    /** Writes instructions. @default the run's LM */
    readonly lm?: LanguageModel;
    /** Of instructions and observations, from 0 to 2. @default 1 */
    readonly temperature?: number;
    /** Checks for proposed instructions. @default defaultChecks() */
    readonly checks?: readonly ProposalCheck[];
    /** Examples of train in one request for observations. @default 10 */
    readonly batchSize?: number;
  };
}

/** Options with their defaults filled in; what is absent follows from the budget. */
export interface MiproV2Settings {
  readonly maxBootstrapped: number;
  readonly maxLabelled: number;
  readonly candidates?: number;
  readonly rounds?: number;
  readonly trials?: number;
  readonly minibatchSize?: number;
  /** Trials from one evaluation of the best on all examples that judge to the next. */
  readonly fullEvaluationEvery: number;
  readonly components: readonly string[];
  readonly threshold?: number;
  readonly longest: number;
  readonly teacherTemperature?: number;
  readonly temperature: number;
  readonly checks: readonly ProposalCheck[];
  readonly batchSize: number;
}

/** Kinds of components that trials may vary. */
export const changeableKinds: readonly string[] = ["instruction", "demos", "parameter"];

const owner = "miproV2()";

/** Fills in defaults; throws `option-invalid` for values outside their range. */
export function miproV2Settings({
  maxBootstrapped = 4,
  maxLabelled = 4,
  candidates,
  rounds,
  trials,
  minibatchSize,
  components = changeableKinds,
  threshold,
  longest = 8_000,
  teacher = {},
  reflection: { temperature = 1, checks = defaultChecks(), batchSize = 10 } = {},
}: MiproV2Options): MiproV2Settings {
  checkCount("maxBootstrapped", maxBootstrapped, 0, owner);
  checkCount("maxLabelled", maxLabelled, 0, owner);
  checkCount("candidates", candidates ?? 2, 2, owner);
  checkCount("rounds", rounds ?? 1, 1, owner);
  checkCount("trials", trials ?? 1, 1, owner);
  checkCount("minibatchSize", minibatchSize ?? 1, 1, owner);
  checkCount("longest", longest, 1, owner);
  checkCount("reflection.batchSize", batchSize, 1, owner);
  checkTemperature("reflection.temperature", temperature);
  checkTemperature("teacher.temperature", teacher.temperature ?? 0);
  if (threshold !== undefined) checkAtLeast("threshold", threshold, -Infinity, owner);
  return Object.freeze({
    maxBootstrapped,
    maxLabelled,
    ...(candidates !== undefined && { candidates }),
    ...(rounds !== undefined && { rounds }),
    ...(trials !== undefined && { trials }),
    ...(minibatchSize !== undefined && { minibatchSize }),
    fullEvaluationEvery: 5,
    components: Object.freeze([...components]),
    ...(threshold !== undefined && { threshold }),
    longest,
    ...(teacher.temperature !== undefined && { teacherTemperature: teacher.temperature }),
    temperature,
    checks,
    batchSize,
  });
}

/** Settings as plain JSON, for a run's description. */
export function describeMiproV2({ checks, ...settings }: MiproV2Settings): JsonObject {
  const described = ({ name, settings: own }: ProposalCheck): string | JsonObject =>
    own === undefined ? name : { name, ...own };
  return { ...settings, checks: checks.map(described) };
}

function checkTemperature(option: string, value: number): void {
  if (value >= 0 && value <= 2) return;
  throw optionOutside(option, value, "a number from 0 to 2", owner);
}
