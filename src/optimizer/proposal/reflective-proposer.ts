import type { Sampling } from "../../contract/index.ts";
import type { ErrorCode } from "../../errors/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { checkCount, componentId } from "../../internal/index.ts";
import type { RejectionReason } from "../candidate/candidate-record.ts";
import type { Asked } from "../contract/optimizer.ts";
import type { InstructionImprover } from "./improve-instruction.ts";
import { improvingText } from "./improving-text.ts";
import type { ProposalRequest, ProposedText, Proposer } from "./proposer.ts";
import { minPromptTokens, reflectionInputs } from "./reflection-inputs.ts";

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
   * Instruction for the reflection LM, replacing the shipped one: one for all components, or by
   * component id (`instruction:answer`), with the shipped one for the others. It has no
   * placeholders: the current text, its place in the program, the examples and a rejected text
   * follow as fields.
   */
  readonly instructions?: string | Readonly<Record<string, string>>;
  /** Sampling of the reflection LM. @default temperature 1, at most 8,192 tokens */
  readonly sampling?: Partial<Sampling>;
}

/**
 * Makes the reflection LM rewrite a text, given examples and the reason why its last text was
 * rejected.
 *
 * @throws EspalierError `option-invalid`; `component-unknown`, as a run begins, for an instruction
 *   with a component id that the run does not evolve
 */
export function reflectiveProposer({
  maxPromptTokens = 16_000,
  instructions,
  sampling: given,
}: ReflectiveProposerOptions = {}): Proposer {
  checkInstructions(instructions);
  const sampling = { temperature: 1, maxCompletionTokens: 8_192, ...given };
  const least = Math.max(...allOf(instructions).map(minPromptTokens));
  checkCount("maxPromptTokens", maxPromptTokens, least, "reflectiveProposer()");
  let made: ReturnType<typeof improvers> | undefined;
  return {
    name: "reflective",
    settings: {
      maxPromptTokens,
      sampling,
      ...(instructions === undefined ? {} : { instructions }),
    },
    costs: () => ({ longestText: sampling.maxCompletionTokens }),
    checkComponents: (ids) => {
      const named = typeof instructions === "object" ? Object.keys(instructions) : [];
      const unknown = named.find((id) => !ids.includes(id));
      if (unknown === undefined) return;
      throw new EspalierError({
        code: "component-unknown",
        problem: `reflectiveProposer() has an instruction for \`${unknown}\`, which this run does not evolve`,
        expected: ids.map((id) => `\`${id}\``).join(", "),
      });
    },
    propose: async (requests, run) => {
      const improverOf = await (made ??= improvers(instructions, sampling));
      const written = new Map<ProposalRequest, ProposedText>();
      // Requests with the same instruction run side by side.
      for (const [improver, group] of Map.groupBy(requests, improverOf)) {
        const answers = await run.ask(
          improver,
          group.map((request) => ({
            id: request.id,
            inputs: reflectionInputs(request, { improver, maxPromptTokens }),
          })),
        );
        for (const [index, request] of group.entries()) {
          written.set(request, proposedText(answers[index] as (typeof answers)[number]));
        }
      }
      return requests.map((request) => written.get(request) as ProposedText);
    },
  };
}

/**
 * Created once per instruction, since a prompt template costs more to create than to use; and with
 * the first request, since only that needs what renders prompts.
 */
async function improvers(
  instructions: ReflectiveProposerOptions["instructions"],
  sampling: Partial<Sampling>,
): Promise<(request: ProposalRequest) => InstructionImprover> {
  const { instructionImprover } = await import("./improve-instruction.ts");
  const [shared, byComponent] = sharedAndOwn(instructions);
  const common = instructionImprover(sampling, shared);
  const own = new Map(
    Object.entries(byComponent).map(([id, instruction]) => [
      id,
      instructionImprover(sampling, instruction),
    ]),
  );
  return ({ component }) => own.get(componentId(component)) ?? common;
}

function allOf(instructions: ReflectiveProposerOptions["instructions"]): readonly string[] {
  const [shared, byComponent] = sharedAndOwn(instructions);
  return [shared, ...Object.values(byComponent)];
}

/** The instruction of most components, and those of single ones by component id. */
function sharedAndOwn(
  instructions: ReflectiveProposerOptions["instructions"] = improvingText,
): readonly [string, Readonly<Record<string, string>>] {
  return typeof instructions === "string" ? [instructions, {}] : [improvingText, instructions];
}

function checkInstructions(instructions: ReflectiveProposerOptions["instructions"]): void {
  const given = typeof instructions === "object" ? Object.values(instructions) : [instructions];
  if (given.every((instruction) => instruction === undefined || instruction.trim() !== "")) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "Option `instructions` of reflectiveProposer() contains an empty instruction",
    expected: "a non-empty instruction for the reflection LM; omit it to use the default one",
  });
}

function proposedText(answer: Asked<{ readonly newInstruction: string }>): ProposedText {
  if (answer.ok) return { ok: true, text: answer.outputs.newInstruction };
  const { code, message } = answer.failure;
  return { ok: false, reason: rejectionReasonOf(code), detail: message, isFailure: true };
}

/** Why a request without a text counts as rejected. */
export function rejectionReasonOf(code: ErrorCode): RejectionReason {
  if (code === "output-truncated") return "truncated";
  if (code === "output-empty") return "empty";
  return code.startsWith("output-") ? "unreadable" : "reflection-fault";
}
