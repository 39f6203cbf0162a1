import type { Parameter } from "../contract/index.ts";
import { parameterProblem } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";

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
