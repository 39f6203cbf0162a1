import type { Parameter, ParameterCondition, WeighedLabel } from "../contract/index.ts";
import { parameterProblem } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { getOwn } from "../internal/index.ts";

interface NumberOptions {
  readonly default: number;
  /** Inclusive. */
  readonly min: number;
  /** Inclusive. */
  readonly max: number;
  /** @default false */
  readonly isLogScale?: boolean;
  /** When it matters: `{ mode: "hybrid" }`. @default always */
  readonly when?: ParameterCondition;
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

/**
 * The weight of one label of a predictor's boolean or enum output, for whose probabilities the
 * predictor must ask: the label whose probability times its weight is greatest counts. At the
 * default, 1, the model's own label is kept.
 *
 * @param max the largest weight; the smallest is 1 / max. @default 100
 * @example parameters: { partialWeight: labelWeight({ predictor: "classify", field: "label", label:
 * "PARTIAL" }) }
 */
export function labelWeight(
  weighs: WeighedLabel,
  { max = 100 }: { readonly max?: number } = {},
): NumberParameter {
  return numberParameter("real", { default: 1, min: 1 / max, max, isLogScale: true, weighs });
}

/** One of several words; the first is the default unless `default` names another. */
export function choice<const TOption extends string>(
  options: readonly [TOption, ...TOption[]],
  {
    default: preset = options[0],
    when,
  }: { readonly default?: NoInfer<TOption>; readonly when?: ParameterCondition } = {},
): ChoiceParameter<TOption> {
  return Object.freeze({
    kind: "choice",
    options: Object.freeze([...options]),
    default: preset,
    ...frozenCondition(when),
  });
}

/**
 * What is wrong with the condition of a program's parameter: what is expected, and what is there;
 * `null` if nothing is. Conditions name parameters declared before, so they cannot go in a circle.
 */
export function conditionProblem(
  parameters: Readonly<Record<string, Parameter>>,
  name: string,
): { readonly expected: string; readonly got: string } | null {
  const names = Object.keys(parameters);
  const before = new Set(names.slice(0, names.indexOf(name)));
  for (const [other, value] of Object.entries(parameters[name]?.when ?? {})) {
    const parameter = before.has(other) ? getOwn<Parameter>(parameters, other) : undefined;
    if (parameter === undefined || parameter.kind === "real") {
      const expected = `\`when\` of parameter "${name}" to name only choices and whole numbers declared before it`;
      return { expected, got: `"${other}"` };
    }
    const problem = parameterProblem(parameter, value);
    if (problem !== null) {
      const expected = `"${other}" in \`when\` of parameter "${name}" as ${problem}`;
      return { expected, got: JSON.stringify(value) };
    }
  }
  return null;
}

/** The parameter values that a program receives. */
export type ParameterValues<TParameters extends Readonly<Record<string, Parameter>>> = {
  readonly [K in keyof TParameters]: TParameters[K] extends ChoiceParameter<infer TOption>
    ? TOption
    : number;
};

function numberParameter(
  kind: "int" | "real",
  { when, ...options }: NumberOptions & { readonly weighs?: WeighedLabel },
): NumberParameter {
  const made = Object.freeze({ isLogScale: false, ...options, kind, ...frozenCondition(when) });
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

function frozenCondition(when: ParameterCondition | undefined): Pick<Parameter, "when"> {
  return when === undefined ? {} : { when: Object.freeze({ ...when }) };
}
