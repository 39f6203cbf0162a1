import type { ErrorCode } from "../../errors/index.ts";
import type { RefusalReason } from "../candidate-record.ts";
import { checkProposal } from "./check-proposal.ts";
import { tellSpent } from "./evaluate-and-tell.ts";
import type { TextComponent } from "./gepa-settings.ts";
import { describePlace, instructionImprover } from "./improve-instruction.ts";
import type { Iteration } from "./iteration.ts";
import type { ReflectiveCase } from "./reflective-cases.ts";
import { renderCases } from "./render-cases.ts";

export type Proposal =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly reason: RefusalReason;
      readonly detail: string;
      readonly text?: string;
      /** Whether the reflection LM failed; a text that is merely of no use is no failure. */
      readonly isFailure: boolean;
    };

/** One call of the reflection LM for a new text, checked before any rollout is spent on it. */
export async function propose(
  {
    component,
    cases,
    iteration,
    isTried,
  }: {
    readonly component: TextComponent;
    readonly cases: readonly ReflectiveCase[];
    readonly iteration: number;
    readonly isTried: (text: string) => boolean;
  },
  { run, program, settings }: Iteration,
): Promise<Proposal> {
  const { sampling, maxCasesLength, maxTextLength } = settings;
  const inputs = {
    instruction: component.value,
    step: describePlace(program, component),
    examples: renderCases(cases, maxCasesLength),
  };
  const asked = await run.ask(instructionImprover(sampling), inputs, `iteration-${iteration}`);
  tellSpent(run, iteration);
  if (!asked.ok) {
    const { code, message } = asked.failure;
    return { ok: false, reason: reasonOf(code), detail: message, isFailure: true };
  }
  const checked = checkProposal(asked.outputs.newInstruction, {
    current: component.value,
    isTried,
    maxLength: maxTextLength,
  });
  if (checked.ok) return checked;
  return { ...checked, isFailure: checked.reason === "empty" || checked.reason === "polluted" };
}

function reasonOf(code: ErrorCode): RefusalReason {
  if (code === "output-truncated") return "truncated";
  if (code === "output-empty") return "empty";
  return code.startsWith("output-") ? "unreadable" : "reflection-fault";
}
