import type { JsonObject, ParameterValue } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { checkCount } from "../../internal/index.ts";
import type { Budget } from "../budget/index.ts";

export type ParameterSearchOptions = DrawnSearchOptions | GridSearchOptions;

interface CommonOptions {
  /** Names of the parameters that may change. @default all of the program's */
  readonly parameters?: readonly string[];
  /** Optional: the search ends by itself. */
  readonly budget?: Budget;
  /** @default 0 */
  readonly seed?: number;
}

/**
 * `"random"`: settings drawn uniformly from the ranges, on the scale of each parameter.
 *
 * `"tpe"`: settings that a tree-structured Parzen estimator suggests from the results of those
 * before; the first nine are drawn at random. Each runs on val in minibatches and stops as soon as
 * it is behind the best candidate on the same examples, unless the objective is not a mean of
 * scores.
 */
export interface DrawnSearchOptions extends CommonOptions {
  /** @default "random" */
  readonly method?: "random" | "tpe";
  /** Number of settings tried besides the program's own. @default 50 */
  readonly trials?: number;
}

/** All combinations of some values, in order: the last parameter changes first. */
export interface GridSearchOptions extends CommonOptions {
  readonly method: "grid";
  /** By parameter. A choice without values here uses all its options. */
  readonly values?: Readonly<Record<string, readonly ParameterValue[]>>;
}

/** Options with their defaults filled in. */
export interface ParameterSearchSettings {
  readonly method: (typeof methods)[number];
  /** Of settings that are drawn. */
  readonly trials: number;
  readonly parameters?: readonly string[];
  /** Of a grid. */
  readonly values: Readonly<Record<string, readonly ParameterValue[]>>;
}

const methods = ["random", "grid", "tpe"] as const;

/** Fills in defaults; throws `option-invalid` for values outside their range. */
export function parameterSearchSettings(options: ParameterSearchOptions): ParameterSearchSettings {
  const { method = "random", parameters } = options;
  if (!methods.includes(method)) {
    throw invalid("method", methods.map((known) => `"${known}"`).join(", "), method);
  }
  const own = { trials: undefined, values: undefined, ...options };
  const ofOther = method === "grid" ? "trials" : "values";
  if (own[ofOther] !== undefined) {
    throw invalid(ofOther, "no value", `a value for \`method: "${method}"\``);
  }
  const { trials = 50, values = {} } = own;
  checkCount("trials", trials, 1, owner);
  const chosen = parameters && { parameters: Object.freeze([...parameters]) };
  return Object.freeze({ method, trials, ...chosen, values });
}

/** Settings as plain JSON, for a run's description. */
export function describeSettings({
  method,
  trials,
  parameters,
  values,
}: ParameterSearchSettings): JsonObject {
  return {
    method,
    ...(method === "grid" ? { values } : { trials }),
    ...(parameters && { parameters }),
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
