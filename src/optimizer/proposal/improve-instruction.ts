import { z } from "zod";
import type { Sampling } from "../../contract/index.ts";
import type { Predictor } from "../../program/index.ts";
import { predict } from "../../program/index.ts";
import type { Signature } from "../../signature/index.ts";
import { signature } from "../../signature/index.ts";
import { improvingText } from "./improving-text.ts";

type ImproveInput = {
  readonly instruction: z.ZodString;
  readonly step: z.ZodString;
  readonly examples: z.ZodString;
  readonly refused: z.ZodString;
  readonly task: z.ZodString;
};

type ImproveOutput = {
  readonly newInstruction: z.ZodString;
};

/** Writes a new instruction from an old one and examples with feedback. */
export type InstructionImprover = Predictor<ImproveInput, ImproveOutput>;

const improve: Signature<ImproveInput, ImproveOutput> = signature({
  name: "improve-instruction",
  instruction: improvingText,
  input: {
    instruction: z.string().describe("The current instruction of the step."),
    step: z.string().describe("What the step takes and gives, and its place in the program."),
    examples: z.string().describe("Examples with inputs, outputs and feedback."),
    refused: z
      .string()
      .describe("Earlier proposals that were refused, and why; empty when there are none."),
    task: z.string().describe("What to write now."),
  },
  output: {
    newInstruction: z.string().describe("The new instruction, whole and ready to use."),
  },
});

/** An improver; `instruction` replaces its whole prompt except for the fields. */
export function instructionImprover(
  sampling: Partial<Sampling>,
  instruction: string = improvingText,
): InstructionImprover {
  return predict(improve, { sampling, instruction });
}
