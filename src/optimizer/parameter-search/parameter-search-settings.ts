import type { JsonObject, ParameterValue } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { checkCount } from "../../internal/index.ts";
import type { Budget } from "../budget/index.ts";

export type ParameterSearchOptions = RandomSearchOptions | GridSearchOptions | TpeSearchOptions;

interface CommonOptions {
  /** Names of the parameters that may change. @default all of the program's */
  readonly parameters?: readonly string[];
  /** Optional: the search ends by itself. */
  readonly budget?: Budget;
  /** @default 0 */
  readonly seed?: number;
}

/** Settings drawn uniformly from the ranges, on the scale of each parameter. */
export interface RandomSearchOptions extends CommonOptions {
  /** @default "random" */
  readonly method?: "random";
  /** Number of settings tried besides the program's own. @default 50 */
  readonly trials?: number;
}

/**
 * Settings that a tree-structured Parzen estimator suggests from the results of those before; the
 * first nine are drawn at random. Each runs on val in minibatches and stops as soon as it is behind
 * the best candidate on the same examples, unless the objective is not a mean of scores.
 */
export interface TpeSearchOptions extends CommonOptions {
  readonly method: "tpe";
  /** Number of settings tried besides the program's own. @default 50 */
  readonly trials?: number;
  /** Examples of val that a setting runs on at a time. At least 1. @default 8 */
  readonly minibatchSize?: number;
}

/** All combinations of some values, in order: the last parameter changes first. */
export interface GridSearchOptions extends CommonOptions {
  readonly method: "grid";
  /**
   * Maximum number of settings tried besides the program's own; the first ones are tried. @default
   * all of the grid
   */
  readonly trials?: number;
  /**
   * Number of values for a number, from its minimum to its maximum, in even steps of its scale; for
   * whole numbers, at most as many as there are. A choice uses all its options. At least 2.
   * @default 5
   */
  readonly steps?: number;
  /** Values of individual parameters, in place of `steps`. */
  readonly values?: Readonly<Record<string, readonly ParameterValue[]>>;
}

/** Options with their defaults filled in. */
export interface ParameterSearchSettings {
  readonly method: (typeof methods)[number];
  /** `Infinity`: as many as the grid has. */
  readonly trials: number;
  readonly parameters?: readonly string[];
  readonly steps: number;
  readonly values: Readonly<Record<string, readonly ParameterValue[]>>;
  /** `Infinity`: all of val at once. */
  readonly minibatchSize: number;
}

const methods = ["random", "grid", "tpe"] as const;

/** Options that only one method has. */
const ofOneMethod = [
  ["steps", "grid"],
  ["values", "grid"],
  ["minibatchSize", "tpe"],
] as const;

/** Fills in defaults; throws `option-invalid` for values outside their range. */
export function parameterSearchSettings(options: ParameterSearchOptions): ParameterSearchSettings {
  const { method = "random", parameters } = options;
  if (!methods.includes(method)) {
    throw invalid("method", methods.map((known) => `"${known}"`).join(", "), method);
  }
  const own = { steps: undefined, values: undefined, minibatchSize: undefined, ...options };
  for (const [name, of] of ofOneMethod) {
    if (of !== method && own[name] !== undefined) {
      throw invalid(
        name,
        `no value, or \`method: "${of}"\``,
        `a value for \`method: "${method}"\``,
      );
    }
  }
  const settings: ParameterSearchSettings = {
    method,
    trials: options.trials ?? (method === "grid" ? Infinity : 50),
    ...(parameters && { parameters: Object.freeze([...parameters]) }),
    steps: own.steps ?? 5,
    values: own.values ?? {},
    minibatchSize: own.minibatchSize ?? (method === "tpe" ? 8 : Infinity),
  };
  checkCount("trials", options.trials ?? 1, 1, owner);
  checkCount("steps", settings.steps, 2, owner);
  checkCount("minibatchSize", own.minibatchSize ?? 1, 1, owner);
  return Object.freeze(settings);
}

/** Settings as plain JSON, for a run's description. */
export function describeSettings({
  method,
  trials,
  parameters,
  steps,
  values,
  minibatchSize,
}: ParameterSearchSettings): JsonObject {
  return {
    method,
    trials: Number.isFinite(trials) ? trials : "all",
    ...(parameters && { parameters }),
    ...(method === "grid" && { steps, values }),
    ...(method === "tpe" && { minibatchSize }),
  };
}

const owner = "parameterSearch()";

/** Creates an `option-invalid` error about one option of parameterSearch(). */
export function invalid(option: string, expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: `Option \`${option}\` of ${owner} is invalid`,
    expected,
    got,
  });
}
