import type { Sampling } from "../../../contract/index.ts";
import type { ErrorCode } from "../../../errors/index.ts";
import type { RefusalReason } from "../../candidate-record.ts";
import { instructionImprover } from "./improve-instruction.ts";
import type { Proposer } from "./proposer.ts";
import { renderCases } from "./render-cases.ts";

export interface ReflectiveProposerOptions {
  /** Longest account of examples shown to the reflection LM, in UTF-16 code units. @default 60_000 */
  readonly maxCasesLength?: number;
  /** Of the reflection LM. @default temperature 1, at most 8,192 tokens */
  readonly sampling?: Partial<Sampling>;
}

/** Has the reflection LM rewrite a text by what examples show, and by why its last text was refused. */
export function reflectiveProposer({
  maxCasesLength = 60_000,
  sampling: given,
}: ReflectiveProposerOptions = {}): Proposer {
  const sampling = { temperature: 1, maxCompletionTokens: 8_192, ...given };
  const improver = instructionImprover(sampling);
  return {
    name: "reflective",
    settings: { maxCasesLength, sampling },
    propose: async (requests, run) => {
      const answers = await run.ask(
        improver,
        requests.map(({ id, component, place, cases, refused }) => ({
          id,
          inputs: {
            instruction: component.value,
            step: place,
            examples: renderCases(cases, maxCasesLength),
            refused: refused === undefined ? "" : `${refused.detail}\n${refused.text}`,
          },
        })),
      );
      return answers.map((answer) => {
        if (answer.ok) return { ok: true, text: answer.outputs.newInstruction };
        const { code, message } = answer.failure;
        return { ok: false, reason: reasonOf(code), detail: message, isFailure: true };
      });
    },
  };
}

function reasonOf(code: ErrorCode): RefusalReason {
  if (code === "output-truncated") return "truncated";
  if (code === "output-empty") return "empty";
  return code.startsWith("output-") ? "unreadable" : "reflection-fault";
}
