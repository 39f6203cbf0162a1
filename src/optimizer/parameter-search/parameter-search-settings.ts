import type { ParameterValue } from "../../contract/index.ts";
import { checkCount, optionOutside } from "../../internal/index.ts";
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

/** Options with their defaults filled in, as plain JSON. */
export type ParameterSearchSettings = { readonly parameters?: readonly string[] } & (
  | { readonly method: "random" | "tpe"; readonly trials: number }
  | { readonly method: "grid"; readonly values: NonNullable<GridSearchOptions["values"]> }
);

const methods: ReadonlySet<unknown> = new Set(["random", "grid", "tpe"]);

/** Names the optimizer, for errors. */
export const owner = "parameterSearch()";

/** Fills in defaults; throws `option-invalid` for values outside their range. */
export function parameterSearchSettings(options: ParameterSearchOptions): ParameterSearchSettings {
  const { method = "random", parameters } = options;
  if (!methods.has(method)) {
    throw optionOutside("method", method, '"random", "grid" or "tpe"', owner);
  }
  const own = { trials: undefined, values: undefined, ...options };
  const ofOther = method === "grid" ? "trials" : "values";
  if (own[ofOther] !== undefined) {
    throw optionOutside(ofOther, own[ofOther], `absent with \`method: "${method}"\``, owner);
  }
  const { trials = 50, values = {} } = own;
  checkCount("trials", trials, 1, owner);
  return Object.freeze({
    ...(method === "grid" ? { method, values } : { method, trials }),
    ...(parameters && { parameters: Object.freeze([...parameters]) }),
  });
}
