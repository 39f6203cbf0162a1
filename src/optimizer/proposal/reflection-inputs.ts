import { textOfContent } from "../../contract/index.ts";
import { cutToBytes, escapedLines, fairShares } from "./text/shown-text.ts";
import { bytesPerToken, estimateTokens } from "../plan/plan-costs.ts";
import type { InstructionImprover } from "./improve-instruction.ts";
import { promptFrame, reflectionTask } from "./improving-text.ts";
import type { ProposalRequest, RefusedText } from "./proposer.ts";
import type { ReflectiveCase, Wiring } from "./case/reflective-cases.ts";
import { renderCases } from "./case/render-cases.ts";

/** By field of `improve-instruction`. */
export type ReflectionInputs = Readonly<
  Record<"instruction" | "step" | "examples" | "refused" | "task", string>
>;

/** Minimum tokens for the examples; fewer would leave nothing to learn from. */
const minCaseTokens = 1_000;
/** Minimum tokens for the description of the program and rejected texts, together. */
const minOtherTokens = 150;
/** Maximum share of the whole prompt for each of these two. */
const maxPromptShare = 1 / 8;
/** Of the room for all rejected texts, for each of them and each reason. */
const maxRefusedShare = 1 / 4;
/** Tokens for the separators between fields. */
const margin = 50;
/** Tokens for the current text in the shortest prompt. */
const minTextTokens = 1_000;

/**
 * The smallest prompt of an instruction with room for a current text of 1,000 tokens and the
 * minimum of everything else.
 */
export function minPromptTokens(instruction: string): number {
  const system = promptFrame.system + Buffer.byteLength(instruction);
  const user = promptFrame.user + Buffer.byteLength(reflectionTask);
  const empty = Math.ceil(system / bytesPerToken) + Math.ceil(user / bytesPerToken);
  return margin + empty + minTextTokens + minOtherTokens + minCaseTokens;
}

/**
 * Builds what the reflection LM sees for a request, in a prompt of at most `maxPromptTokens`: the
 * current text in full, the rest cut to fit, and the examples in the remaining room. If the current
 * text leaves too little, the rest still gets its minimum, and the prompt exceeds the limit by
 * that.
 */
export function reflectionInputs(
  { component, place, cases, refused = [] }: ProposalRequest,
  {
    improver,
    maxPromptTokens,
  }: { readonly improver: InstructionImprover; readonly maxPromptTokens: number },
): ReflectionInputs {
  const texts = { instruction: component.value, task: reflectionTask };
  const bare = { ...texts, step: "", examples: "", refused: "" };
  const room = maxPromptTokens - tokensOf(improver, bare);
  const most = maxPromptTokens * maxPromptShare * bytesPerToken;
  const others = [[place, ...wiringLines(cases)].join("\n"), refusedProposals(refused, most)];
  const shares = fairShares(
    others.map((text) => ({ need: Math.min(Buffer.byteLength(text), most) })),
    Math.max(minOtherTokens, room - minCaseTokens) * bytesPerToken,
  );
  const [step = "", shown = ""] = others.map((text, at) => cutToBytes(text, shares[at] ?? 0));
  const fixed = { ...bare, step, refused: shown };
  const forCases = Math.max(minCaseTokens, maxPromptTokens - tokensOf(improver, fixed));
  return { ...fixed, examples: renderCases(cases, forCases) };
}

function tokensOf(improver: InstructionImprover, inputs: ReflectionInputs): number {
  return improver
    .render(inputs)
    .reduce((sum, { content }) => sum + estimateTokens(textOfContent(content)), margin);
}

function refusedProposals(proposals: readonly RefusedText[], room: number): string {
  const shown = (text: string): string =>
    cutToBytes(escapedLines(text, "heading"), room * maxRefusedShare);
  return proposals
    .map(({ text, detail }, at) =>
      [`# Proposal ${at + 1}`, shown(text), "## Why it was refused", shown(detail)].join("\n\n"),
    )
    .join("\n\n");
}

/** The steps that this one took inputs from and passed outputs to in the examples. */
function wiringLines(cases: readonly ReflectiveCase[]): readonly string[] {
  return [
    ...linesFor(cases, "from", "What it takes as", "was written by"),
    ...linesFor(cases, "to", "What it writes as", "went on to"),
  ].map((line) => `${line} in the examples.`);
}

/** Joins all fields with the same steps at their other end into one line. */
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
