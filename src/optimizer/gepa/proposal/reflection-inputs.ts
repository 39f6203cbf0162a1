import { cutToBytes } from "./cut-to-bytes.ts";
import { bytesPerToken, estimateTokens } from "../../estimate-tokens.ts";
import type { InstructionImprover } from "./improve-instruction.ts";
import type { ProposalRequest } from "./proposer.ts";
import type { ReflectiveCase } from "./reflective-cases.ts";
import { renderCases } from "./render-cases.ts";
import type { Wiring } from "./wiring.ts";

/** By field of `improve-instruction`. */
export type ReflectionInputs = Readonly<
  Record<"instruction" | "step" | "examples" | "refused" | "refusal", string>
>;

/** Fewer would leave nothing to learn from. */
const leastForCases = 1_000;
/** Of the whole prompt, for what is said of the program, and for a refused text. */
const mostOfPrompt = 1 / 8;
/** For what separates the fields. */
const margin = 50;

/**
 * What the reflection LM is shown for a request, in a prompt of at most so many tokens: the current text
 * in full, the rest cut to fit, and the examples in the room that the others leave.
 */
export function reflectionInputs(
  { component, place, cases, refused }: ProposalRequest,
  {
    improver,
    maxPromptTokens,
  }: { readonly improver: InstructionImprover; readonly maxPromptTokens: number },
): ReflectionInputs {
  const partial = maxPromptTokens * mostOfPrompt * bytesPerToken;
  const fixed = {
    instruction: component.value,
    step: cutToBytes([place, ...wiringLines(cases)].join("\n"), partial),
    refused: cutToBytes(refused?.text ?? "", partial),
    refusal: refused?.detail ?? "",
  };
  const taken = improver
    .render({ ...fixed, examples: "" })
    .reduce((sum, { content }) => sum + estimateTokens(content), margin);
  const forCases = Math.max(leastForCases, maxPromptTokens - taken);
  return { ...fixed, examples: renderCases(cases, forCases) };
}

/** Which steps this one took from and gave to in the examples. */
function wiringLines(cases: readonly ReflectiveCase[]): readonly string[] {
  return [
    ...linesFor(cases, "from", "What it takes as", "was written by"),
    ...linesFor(cases, "to", "What it writes as", "went on to"),
  ].map((line) => `${line} in the examples.`);
}

/** One line for all fields that have the same steps at their other end. */
function linesFor(
  cases: readonly ReflectiveCase[],
  side: keyof Wiring,
  subject: string,
  verb: string,
): readonly string[] {
  const byField = new Map<string, Set<string>>();
  for (const [field, steps] of cases.flatMap(({ wiring }) => Object.entries(wiring[side]))) {
    byField.set(field, new Set([...(byField.get(field) ?? []), ...steps]));
  }
  const bySteps = Map.groupBy(byField, ([, steps]) => quoted([...steps].toSorted()));
  return [...bySteps].map(
    ([steps, fields]) => `${subject} ${quoted(fields.map(([field]) => field))} ${verb} ${steps}`,
  );
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
