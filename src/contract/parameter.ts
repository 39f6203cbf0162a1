import type { ParameterValue } from "./component.ts";

/** One label of a predictor's output field; `true` and `false` are labels of a boolean. */
export interface WeighedLabel {
  readonly predictor: string;
  readonly field: string;
  readonly label: string;
}

/** A number or choice that an optimizer may change. */
export type Parameter = (
  | {
      readonly kind: "int" | "real";
      readonly default: number;
      readonly min: number;
      readonly max: number;
      /** Whether equal ratios count as equal steps, as for a rank constant from 1 to 1,000. */
      readonly isLogScale: boolean;
      /** The label whose probability this number multiplies; absent for most parameters. */
      readonly weighs?: WeighedLabel;
    }
  | { readonly kind: "choice"; readonly default: string; readonly options: readonly string[] }
) & {
  /** Absent: the parameter always matters. */
  readonly when?: ParameterCondition;
};

/**
 * When a parameter matters: if each of these others, declared before it, matters and has this
 * value. A search leaves a parameter that does not matter as the program has it.
 */
export type ParameterCondition = Readonly<Record<string, string | number>>;

/** Returns a sentence that says why a value is not allowed, or `null` if it is. */
export function parameterProblem(parameter: Parameter, value: ParameterValue): string | null {
  if (parameter.kind === "choice") {
    return parameter.options.includes(String(value)) && typeof value === "string"
      ? null
      : `one of ${parameter.options.map((option) => `"${option}"`).join(", ")}`;
  }
  const { kind, min, max } = parameter;
  const fits = typeof value === "number" && Number.isFinite(value) && value >= min && value <= max;
  if (fits && (kind === "real" || Number.isInteger(value))) return null;
  return `${kind === "int" ? "a whole number" : "a number"} from ${min} to ${max}`;
}
