import type { ParameterValue } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";

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

interface NumberOptions {
  readonly default: number;
  /** Inclusive. */
  readonly min: number;
  /** Inclusive. */
  readonly max: number;
  /** @default false */
  readonly isLogScale?: boolean;
}

export type NumberParameter = Parameter & { readonly kind: "int" | "real" };

export type ChoiceParameter<TOption extends string = string> = Parameter & {
  readonly kind: "choice";
  readonly options: readonly TOption[];
};

/** A whole number in a range: `int({ default: 3, min: 1, max: 5 })`. */
export function int(options: NumberOptions): NumberParameter {
  return numberParameter("int", options);
}

/** A real number in a range. */
export function real(options: NumberOptions): NumberParameter {
  return numberParameter("real", options);
}

/** One of several words; the first is the default unless `default` names another. */
export function choice<const TOption extends string>(
  options: readonly [TOption, ...TOption[]],
  { default: preset = options[0] }: { readonly default?: NoInfer<TOption> } = {},
): ChoiceParameter<TOption> {
  return Object.freeze({ kind: "choice", options: Object.freeze([...options]), default: preset });
}

/** The parameter values that a program receives. */
export type ParameterValues<TParameters extends Readonly<Record<string, Parameter>>> = {
  readonly [K in keyof TParameters]: TParameters[K] extends ChoiceParameter<infer TOption>
    ? TOption
    : number;
};

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

function numberParameter(kind: "int" | "real", options: NumberOptions): NumberParameter {
  const made = Object.freeze({ isLogScale: false, ...options, kind });
  const problem =
    made.min > made.max || (made.isLogScale && made.min <= 0)
      ? `min at most max, and above 0 on a log scale`
      : parameterProblem(made, made.default);
  if (problem === null) return made;
  throw new EspalierError({
    code: "parameter-invalid",
    problem: "The parameter is invalid",
    expected: problem,
    got: `default ${made.default}, min ${made.min}, max ${made.max}`,
  });
}
