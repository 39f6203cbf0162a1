import { z } from "zod";
import type { Sampling } from "../../../contract/index.ts";
import type { Predictor } from "../../../program/index.ts";
import { predict } from "../../../program/index.ts";
import type { Signature } from "../../../signature/index.ts";
import { signature } from "../../../signature/index.ts";

type ImproveInput = {
  readonly instruction: z.ZodString;
  readonly step: z.ZodString;
  readonly examples: z.ZodString;
  readonly refused: z.ZodString;
  readonly refusal: z.ZodString;
};

type ImproveOutput = {
  readonly newInstruction: z.ZodString;
};

/** Writes a new instruction from an old one and examples with feedback. */
export type InstructionImprover = Predictor<ImproveInput, ImproveOutput>;

const improve: Signature<ImproveInput, ImproveOutput> = signature({
  name: "improve-instruction",
  instruction: `You improve the instruction of one step of a program that language models carry out.
You see the current instruction, what the step does in the program, and examples: what the step was given, what it wrote, what came after, and feedback. Feedback on the very call is about this step alone; feedback on the whole run may be due to other steps, so change only what this step can do better.

Find out what the examples with low scores have in common, and what the feedback says was missing, wrong or superfluous. Then write a new instruction with which the step would have done better on them and on examples like them:
- keep what works and every fact, rule, format and {placeholder} that the step still needs;
- say what to include, add or use, and where to take it from: which names, terms, keywords and details of which inputs, such as earlier turns of a conversation, notes or passages;
- say what to leave out, avoid or never repeat, and when results must be different from each other, diverse or short;
- state general rules; do not copy the questions or the answers of single examples;
- write plain sentences, complete in themselves, and nothing but the instruction.
If an earlier proposal was refused, write another one that cannot be refused for the same reason.`,
  input: {
    instruction: z.string().describe("The current instruction of the step."),
    step: z.string().describe("What the step takes and gives, and its place in the program."),
    examples: z.string().describe("Examples with inputs, outputs and feedback."),
    refused: z.string().describe("An earlier proposal that was refused; empty when there is none."),
    refusal: z.string().describe("Why it was refused; empty when there is none."),
  },
  output: {
    newInstruction: z.string().describe("The new instruction, whole and ready to use."),
  },
});

/** An improver; `instruction` replaces its whole prompt except for the fields. */
export function instructionImprover(
  sampling: Partial<Sampling>,
  instruction: string = improve.instruction,
): InstructionImprover {
  return predict(improve, { sampling, instruction });
}
