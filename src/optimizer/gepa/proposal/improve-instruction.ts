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
};

type ImproveOutput = {
  readonly newInstruction: z.ZodString;
};

const improve: Signature<ImproveInput, ImproveOutput> = signature({
  name: "improve-instruction",
  instruction: `You improve the instruction of one step of a program that language models carry out.
You see the current instruction, what the step does in the program, and examples: what the step was given, what it wrote, and feedback on the result.

Find out what the examples with low scores have in common, and what the feedback says was missing, wrong or superfluous. Then write a new instruction with which the step would have done better on them and on examples like them:
- keep what works and every fact, rule and format that the step still needs;
- say what to include, add or use, and where to take it from: which names, terms, keywords and details of which inputs, such as earlier turns of a conversation, notes or passages;
- say what to leave out, avoid or never repeat, and when results must be different from each other, diverse or short;
- state general rules; do not copy the questions or the answers of single examples;
- write plain sentences, complete in themselves, and nothing but the instruction.`,
  input: {
    instruction: z.string().describe("The current instruction of the step."),
    step: z.string().describe("What the step takes and gives, and its place in the program."),
    examples: z.string().describe("Examples with inputs, outputs and feedback."),
    refused: z
      .string()
      .describe("An earlier proposal that was refused, and why; empty when there is none."),
  },
  output: {
    newInstruction: z.string().describe("The new instruction, whole and ready to use."),
  },
});

/** A predictor that writes a new instruction from an old one and examples with feedback. */
export function instructionImprover(
  sampling: Partial<Sampling>,
): Predictor<ImproveInput, ImproveOutput> {
  return predict(improve, { sampling });
}
