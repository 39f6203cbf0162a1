import type { ParameterValue } from "./component.ts";

/** A number or choice that an optimizer may change. */
export type Parameter =
  | {
      readonly kind: "int" | "real";
      readonly default: number;
      readonly min: number;
      readonly max: number;
      /** Whether equal ratios count as equal steps, as for a rank constant from 1 to 1,000. */
      readonly isLogScale: boolean;
    }
  | { readonly kind: "choice"; readonly default: string; readonly options: readonly string[] };

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
