import type { Call, PredictorOptions, RankedPassage, Retriever, Text } from "espalier";
import { int, oneLine, predict, program, reason, text } from "espalier";
import { answerFromPassages, writeNextThought } from "../../../signatures/index.ts";
import { distinctPassages } from "../../support/distinct-passages.ts";
import { unlessUnreadable } from "../../support/unless-unreadable.ts";
import { baselineOutput } from "./output.ts";

export interface BaselineOptions {
  /** The paper uses BM25. */
  readonly retriever: Retriever;
  /** For every predictor. @default greedy */
  readonly sampling?: PredictorOptions["sampling"];
}

/** Predictors and parameters of IRCoT, for the programs that contain it. */
export function ircotModules({ sampling = {} }: Pick<BaselineOptions, "sampling">) {
  return {
    predictors: {
      writeNextThought: predict(writeNextThought, { sampling }),
      /** The reader, which reasons about all that was found. */
      readPassages: reason(answerFromPassages, { sampling }),
    },
    parameters: {
      /** Passages that each search adds; the authors chose among 2, 4, 6 and 8. */
      perStep: int({ default: 4, min: 1, max: 20 }),
      /** Passages that the reasoner and the reader see. */
      maxPassages: int({ default: 15, min: 1, max: 50 }),
      maxThoughts: int({ default: 8, min: 1, max: 20 }),
    },
  } as const;
}

type IrcotModules = ReturnType<typeof ircotModules>;
export type IrcotCall = Call<IrcotModules["predictors"], IrcotModules["parameters"]>;

/**
 * IRCoT (Trivedi et al. 2023): each sentence of a chain of thought is the next query, until one
 * states the answer; a reader then answers from all passages. The multi-step baseline of HANRAG's
 * tables.
 */
export function ircot({ retriever, ...options }: BaselineOptions) {
  return program({
    name: "ircot",
    version: "1",
    input: { question: text("question", "The question to be answered.") },
    output: baselineOutput,
    ...ircotModules(options),
    forward: async ({ question }, call) => ({
      ...(await interleave(question, call, retriever)),
      route: "complex" as const,
    }),
  });
}

/**
 * Retrieval and reasoning in turn. An unreadable thought ends the chain, as a sentence without text
 * would: there is nothing to search for.
 */
export async function interleave(
  question: Text<"question">,
  call: IrcotCall,
  retriever: Retriever,
): Promise<{
  readonly answer: Text<"answer">;
  readonly steps: number;
  readonly passages: readonly RankedPassage[];
}> {
  const { perStep, maxPassages, maxThoughts } = call.parameters;
  const thoughts: string[] = [];
  let found: readonly RankedPassage[] = [];
  let query: string = question;
  let steps = 0;
  while (true) {
    const step = call.at("step", steps + 1);
    const more = await step.retrieve(retriever, { query, k: perStep });
    steps++;
    found = distinctPassages([...found, ...more]).slice(0, maxPassages);
    const { sentence, isFinal } = await unlessUnreadable<{
      readonly sentence: Text<"thought">;
      readonly isFinal: boolean;
    }>(
      step.predictors.writeNextThought({ question, passages: found, thought: told(thoughts) }),
      () => ({ sentence: "", isFinal: true }),
    );
    query = oneLine(sentence);
    if (query !== "") thoughts.push(query);
    if (isFinal || query === "" || steps >= maxThoughts) break;
  }
  call.note("thoughts", thoughts);
  const { answer } = await call.predictors.readPassages({ question, passages: found });
  return { answer, steps, passages: found };
}

function told(thoughts: readonly string[]): Text<"thought"> {
  return thoughts.length === 0 ? "nothing" : thoughts.join(" ");
}
