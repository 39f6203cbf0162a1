import type { JsonObject, ParameterValue } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { checkCount } from "../../internal/index.ts";
import type { Budget } from "../budget/index.ts";

export type ParameterSearchOptions = RandomSearchOptions | GridSearchOptions;

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
  readonly method: "random" | "grid";
  /** `Infinity`: as many as the grid has. */
  readonly trials: number;
  readonly parameters?: readonly string[];
  readonly steps: number;
  readonly values: Readonly<Record<string, readonly ParameterValue[]>>;
}

/** Fills in defaults; throws `option-invalid` for values outside their range. */
export function parameterSearchSettings(options: ParameterSearchOptions): ParameterSearchSettings {
  const { method = "random", parameters } = options;
  if (method !== "random" && method !== "grid") {
    throw invalid("method", '"random" or "grid"', String(method));
  }
  const { steps, values } = { steps: undefined, values: undefined, ...options };
  if (method === "random") {
    for (const [name, value] of Object.entries({ steps, values })) {
      if (value !== undefined) throw invalid(name, "no value for a random search", "a value");
    }
  }
  const settings: ParameterSearchSettings = {
    method,
    trials: options.trials ?? (method === "random" ? 50 : Infinity),
    ...(parameters && { parameters: Object.freeze([...parameters]) }),
    steps: steps ?? 5,
    values: values ?? {},
  };
  checkCount("trials", options.trials ?? 1, 1, owner);
  checkCount("steps", settings.steps, 2, owner);
  return Object.freeze(settings);
}

/** Settings as plain JSON, for a run's description. */
export function describeSettings({
  method,
  trials,
  parameters,
  steps,
  values,
}: ParameterSearchSettings): JsonObject {
  return {
    method,
    trials: Number.isFinite(trials) ? trials : "all",
    ...(parameters && { parameters }),
    ...(method === "grid" && { steps, values }),
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
