import { z } from "zod";
import type { Predictor } from "../../../program/index.ts";
import { predict } from "../../../program/index.ts";
import { signature } from "../../../signature/index.ts";
import type { FailureModeSettings } from "./failure-mode-settings.ts";

type NamingInput = {
  readonly program: z.ZodString;
  readonly failures: z.ZodString;
  readonly known: z.ZodString;
  readonly refusal: z.ZodString;
};

type NamingOutput = {
  readonly modes: z.ZodArray<
    z.ZodObject<{
      readonly name: z.ZodString;
      readonly description: z.ZodString;
      readonly examples: z.ZodArray<z.ZodInt>;
    }>
  >;
};

/** Names the modes of numbered failures, and sorts the failures into them. */
export type ModeNamer = Predictor<NamingInput, NamingOutput>;

/** Loaded late, since it loads what renders prompts. */
export function modeNamer({ most, sampling }: FailureModeSettings): ModeNamer {
  return predict(
    signature({
      name: "name-failure-modes",
      instruction: namingText(most),
      input: {
        program: z.string().describe("What the steps of the program do."),
        failures: z.string().describe("Numbered examples on which the program fell short."),
        known: z.string().describe("Failure modes named before; empty if there are none."),
        refusal: z
          .string()
          .describe("Why the reply before could not be used; empty if there was none."),
      },
      output: {
        modes: z
          .array(
            z.object({
              name: z.string().describe("A few words."),
              description: z.string().describe("What goes wrong, in one sentence."),
              examples: z.array(z.int()).describe("Numbers of the examples that fail in this way."),
            }),
          )
          .describe("The failure modes, the most frequent first."),
      },
    }),
    { sampling },
  );
}

function namingText(most: number): string {
  return `You find out in which ways a program that language models carry out goes wrong.
You see what its steps do, and examples on which it fell short: what it was given, what it made of it, and feedback.

Name the failure modes behind these examples, 2 to ${most}, and sort each example into the one that explains it best:
- a mode is a cause that one change of the program's instructions could remove, not a topic of the examples;
- two examples whose feedback asks for the same change belong to the same mode, whatever the words;
- give each mode a name of a few words, and say in one sentence what goes wrong in it and, where the feedback tells, what is asked for instead;
- where a mode that was named before fits, use its name as it is;
- put every example into one mode, and do not speak of the questions or answers of single examples.`;
}
