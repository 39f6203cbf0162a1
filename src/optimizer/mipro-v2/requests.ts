import { z } from "zod";
import type { Predictor } from "../../program/index.ts";
import { predict } from "../../program/index.ts";
import { signature } from "../../signature/index.ts";

/** The requests to the reflection LM; loaded late, since they load what renders prompts. */
export interface Requests {
  readonly observe: Writer<"examples" | "before", "observations">;
  readonly summarize: Writer<"notes", "summary">;
  readonly describeProgram: Writer<"steps", "programDescription">;
  readonly describeStep: Writer<"steps" | "program" | "step", "stepDescription">;
  readonly propose: Writer<
    "instruction" | "step" | "program" | "data" | "demonstrations" | "comments" | "tip",
    "newInstruction"
  >;
}

/** A predictor of text from texts, by their fields. */
type Writer<TInput extends string, TOutput extends string> = Predictor<
  Readonly<Record<TInput, z.ZodString>>,
  Readonly<Record<TOutput, z.ZodString>>
>;

const observe = signature({
  name: "observe-data",
  instruction: `You study data that a program of language models is made for.
You see some of its examples, with what the program made of them and what was said of that, and observations on examples before.
Write further observations that hold for many examples: topics, kinds of questions, form and length of inputs and outputs, what makes an example hard, what good outputs have in common and what comments ask for again and again, with the very terms they use. Do not repeat earlier observations, and do not speak of single examples. If there is nothing to add, write COMPLETE.`,
  input: {
    examples: z.string().describe("Examples of the data."),
    before: z.string().describe("Observations so far; empty at first."),
  },
  output: { observations: z.string().describe("New observations, or COMPLETE.") },
});

const summarize = signature({
  name: "summarize-data",
  instruction:
    "Sum up these observations on a set of data in a few sentences, for a reader who is to write instructions for the program that works on it. Keep what such a reader has to know, and every term that outputs must have.",
  input: { notes: z.string().describe("Observations on the data.") },
  output: { summary: z.string().describe("The summary.") },
});

const describeProgram = signature({
  name: "describe-program",
  instruction:
    "You see the steps of a program that language models carry out: what each takes and writes, its instruction, and in which order runs went through them. Say in a few sentences what task the program is for and how it goes about it.",
  input: { steps: z.string().describe("The steps, and the order of runs.") },
  output: { programDescription: z.string().describe("What the program does, and how.") },
});

const describeStep = signature({
  name: "describe-step",
  instruction:
    "You see a program that language models carry out, and one of its steps. Say in a few sentences what this step is there for, and what the steps after it need from it.",
  input: {
    steps: z.string().describe("The steps of the program, and the order of runs."),
    program: z.string().describe("What the program does."),
    step: z.string().describe("The step to describe."),
  },
  output: { stepDescription: z.string().describe("What the step is for.") },
});

const propose = signature({
  name: "propose-instruction",
  instruction: `You write an instruction for one step of a program that language models carry out.
You see the step's present instruction, the step and its place in the program, what the data are like, runs in which the step did well, and runs with comments. Use them to say what the step has to do, how to go about it, and what its outputs must have. Keep every fact, rule, format and {placeholder} of the present instruction that the step still needs. State general rules; copy neither inputs nor answers of single examples. Where there is a tip, follow it. Write nothing but the instruction.`,
  input: {
    instruction: z.string().describe("The present instruction of the step."),
    step: z.string().describe("What the step takes and writes, and what it is for."),
    program: z.string().describe("What the program does; empty if nobody said."),
    data: z.string().describe("What the data are like; empty if nobody said."),
    demonstrations: z.string().describe("Runs in which the step did well; may be empty."),
    comments: z.string().describe("Runs and what was said of them; may be empty."),
    tip: z.string().describe("How to write it; may be empty."),
  },
  output: { newInstruction: z.string().describe("The new instruction, whole and ready to use.") },
});

const varied = { sampling: { temperature: 1, maxCompletionTokens: 4_096 } };
const plain = { sampling: { temperature: 0, maxCompletionTokens: 2_048 } };

export const requests: Requests = {
  observe: predict(observe, varied),
  summarize: predict(summarize, plain),
  describeProgram: predict(describeProgram, plain),
  describeStep: predict(describeStep, plain),
  propose: predict(propose, varied),
};
