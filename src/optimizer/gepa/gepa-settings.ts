import type { Component, LanguageModel, Sampling } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import type { Budget } from "../budget/index.ts";
import { componentId } from "../candidate-record.ts";

/** A component that is a text. */
export type TextComponent = Extract<Component, { readonly value: string }> & {
  readonly kind: "instruction" | "fieldDescription";
};

export interface GepaOptions {
  /** May be left to the run. */
  readonly budget?: Budget;
  /** @default 0 */
  readonly seed?: number;
  /** Absent: the run's LM. */
  readonly reflectionLm?: LanguageModel;
  /** Training examples that a proposal learns from and must do better on. @default 3 */
  readonly minibatchSize?: number;
  /**
   * Texts to evolve: kinds (`instruction`, `fieldDescription`) or single ones (`instruction:answer`).
   * @default ["instruction"]
   */
  readonly components?: readonly string[];
  /** A minibatch whose scores all reach it teaches nothing; `null`: none does. @default 1 */
  readonly perfectScore?: number | null;
  /** Longest text proposed, in UTF-16 code units. @default 12_000 */
  readonly maxTextLength?: number;
  /** Longest account of examples shown to the reflection LM, in UTF-16 code units. @default 60_000 */
  readonly maxCasesLength?: number;
  /** Failures of the reflection LM in a row that end the run. @default 5 */
  readonly maxReflectionFailures?: number;
  /** Iterations in a row without a new text to try that end the run. @default two epochs, at least 30 */
  readonly maxIdleIterations?: number | null;
  /** Of the reflection LM. @default temperature 1, at most 8,192 tokens */
  readonly sampling?: Partial<Sampling>;
}

/** Everything but who answers: plain JSON, part of a run's description. */
export type GepaSettings = Required<Omit<GepaOptions, "budget" | "seed" | "reflectionLm">>;

/** Fills in defaults; refuses values outside their range with `option-invalid`. */
export function gepaSettings(options: GepaOptions): GepaSettings {
  const settings: GepaSettings = {
    minibatchSize: options.minibatchSize ?? 3,
    components: options.components ?? ["instruction"],
    perfectScore: options.perfectScore === undefined ? 1 : options.perfectScore,
    maxTextLength: options.maxTextLength ?? 12_000,
    maxCasesLength: options.maxCasesLength ?? 60_000,
    maxReflectionFailures: options.maxReflectionFailures ?? 5,
    maxIdleIterations: options.maxIdleIterations ?? null,
    sampling: { temperature: 1, maxCompletionTokens: 8_192, ...options.sampling },
  };
  const counts = [
    "minibatchSize",
    "maxTextLength",
    "maxCasesLength",
    "maxReflectionFailures",
    "maxIdleIterations",
  ] as const;
  for (const name of counts) {
    const value = settings[name] ?? 1;
    if (Number.isInteger(value) && value >= 1) continue;
    throw new EspalierError({
      code: "option-invalid",
      problem: `Option \`${name}\` of gepa() is outside its range`,
      expected: "a whole number of at least 1",
      got: String(settings[name]),
    });
  }
  return Object.freeze(settings);
}

/** The program's components that a list of kinds and ids selects, in the program's order. */
export function textComponents(
  program: TunableProgram,
  selectors: readonly string[],
): readonly TextComponent[] {
  const texts = program
    .components()
    .filter(
      (component): component is TextComponent =>
        component.kind === "instruction" || component.kind === "fieldDescription",
    );
  const matches = (selector: string) => (component: TextComponent) =>
    selector === component.kind || selector === componentId(component);
  const unknown = selectors.find((selector) => !texts.some(matches(selector)));
  if (unknown === undefined && selectors.length > 0) {
    return texts.filter((component) => selectors.some((selector) => matches(selector)(component)));
  }
  throw new EspalierError({
    code: "component-unknown",
    problem: `gepa() cannot evolve ${unknown === undefined ? "nothing" : `\`${unknown}\``} in program \`${program.name}\``,
    expected: ["instruction", "fieldDescription", ...texts.map(componentId)].join(", "),
  });
}
