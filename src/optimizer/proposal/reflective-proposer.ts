import type { Sampling } from "../../contract/index.ts";
import type { ErrorCode } from "../../errors/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { checkCount } from "../../internal/index.ts";
import type { RejectionReason } from "../candidate/candidate-record.ts";
import type { Asked } from "../contract/optimizer.ts";
import type { InstructionImprover, instructionImprover } from "./improve-instruction.ts";
import { improvingText, promptFrame, reflectionTask } from "./improving-text.ts";
import type { ProposalRequest, ProposedText, Proposer, RefusedText } from "./proposer.ts";
import { textOfContent } from "../../contract/index.ts";
import { cutToBytes, escapedLines, fairShares } from "./text/shown-text.ts";
import { bytesPerToken, estimateTokens } from "../plan/plan-costs.ts";
import { renderCases } from "./case/render-cases.ts";

export interface ReflectiveProposerOptions {
  /**
   * Maximum prompt length, in tokens as `estimateTokens` counts them: three bytes of UTF-8 each.
   * Examples, the description of the program and a rejected text are cut to fit, down to a minimum
   * of 1,150 tokens together. The current text is never cut: if it leaves less than that, the
   * prompt is sent anyway. Values that leave less than 1,000 tokens for the current text are
   * rejected: below 3,137 with the shipped instruction. @default 16_000
   */
  readonly maxPromptTokens?: number;
  /**
   * Instruction for the reflection LM, replacing the shipped one. It has no placeholders: the
   * current text, its place in the program, the examples and a rejected text follow as fields.
   */
  readonly instruction?: string;
  /** Sampling of the reflection LM. @default temperature 1, at most 8,192 tokens */
  readonly sampling?: Partial<Sampling>;
}

/**
 * Makes the reflection LM rewrite a text, given examples and the reason why its last text was
 * rejected.
 *
 * @throws EspalierError `option-invalid`
 */
export function reflectiveProposer({
  maxPromptTokens = 16_000,
  instruction = improvingText,
  sampling: given,
}: ReflectiveProposerOptions = {}): Proposer {
  if (instruction.trim() === "") {
    throw new EspalierError({
      code: "option-invalid",
      problem: "Option `instruction` of reflectiveProposer() is empty",
      expected: "a non-empty instruction for the reflection LM; omit it to use the default one",
    });
  }
  const sampling = { temperature: 1, maxCompletionTokens: 8_192, ...given };
  const least = minPromptTokens(instruction);
  checkCount("maxPromptTokens", maxPromptTokens, least, "reflectiveProposer()");
  let made: Promise<InstructionImprover> | undefined;
  return {
    name: "reflective",
    settings: {
      maxPromptTokens,
      sampling,
      ...(instruction === improvingText ? {} : { instruction }),
    },
    longestText: sampling.maxCompletionTokens,
    propose: async (requests, run) => {
      const improver = await (made ??= loadedImprover(sampling, instruction));
      const answers = await run.ask(
        improver,
        requests.map((request) => ({
          id: request.id,
          inputs: reflectionInputs(request, { improver, maxPromptTokens }),
        })),
      );
      return answers.map(proposedText);
    },
  };
}

/**
 * Created once, since a prompt template costs more to create than to use; and with the first
 * request, since only that needs what renders prompts.
 */
async function loadedImprover(
  ...given: Parameters<typeof instructionImprover>
): Promise<InstructionImprover> {
  const { instructionImprover: improver } = await import("./improve-instruction.ts");
  return improver(...given);
}

function proposedText(answer: Asked<{ readonly newInstruction: string }>): ProposedText {
  if (answer.ok) return { ok: true, text: answer.outputs.newInstruction };
  const { code, message } = answer.failure;
  return { ok: false, reason: rejectionReasonOf(code), detail: message, isFailure: true };
}

/** Why a request without a text counts as rejected. */
function rejectionReasonOf(code: ErrorCode): RejectionReason {
  if (code === "output-truncated") return "truncated";
  if (code === "output-empty") return "empty";
  return code.startsWith("output-") ? "unreadable" : "reflection-fault";
}

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
  const others = [place, refusedProposals(refused, most)];
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
