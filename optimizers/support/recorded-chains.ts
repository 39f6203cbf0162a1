import type { Study } from "espalier";
import { EspalierError, program, study, text } from "espalier";
import { trainset } from "espalier/trainset";
import { z } from "zod";
import { answerAlone } from "../../programs/hanrag/index.ts";
import type { ChainStep } from "../../trainsets/recorded/index.ts";
import { recordedAnswers, recordedChains } from "../../trainsets/recorded/index.ts";
import { recordedFile } from "./recorded-file.ts";

/** The model that wrote the chains and read the passages. */
export const modelOfChains = "Llama-3.1-8B";

/**
 * IRCoT on 500 questions of HotpotQA as it was recorded (xindili-cmu/anlp-project-multihop @
 * df0d575, Apache-2.0), from the folder in ESPALIER_RECORDED_DIR. The answer is the reader's, or
 * what the chain of thought itself ends with.
 *
 * @throws EspalierError `file-missing`; `dataset-invalid` if a question has an answer and no chain
 */
export function recordedIrcot(answer: "reader" | "chain"): () => Promise<Study> {
  return async () => {
    const path = recordedFile("hotpotqa500_llama31-8b_ircot_chains.txt");
    const chains = new Map((await recordedChains(path)).map((chain) => [chain.id, chain]));
    const { rows } = await recordedAnswers(recordedFile("hotpotqa500_llama31-8b_ircot.json"));
    const test = rows.map(({ id, prediction, answers }) => {
      const chain = chains.get(id);
      if (chain === undefined) throw withoutChain(id, path);
      const { question, steps } = chain;
      const said = answer === "reader" ? prediction : answerIn(steps);
      return { id, input: { question, answer: said, steps: steps.length }, labels: { answers } };
    });
    return study({
      name: "recorded-ircot",
      program: asRecorded,
      trainset: trainset({
        name: `hotpotqa-recorded-${answer}`,
        version: "1",
        licence: "CC BY-SA 4.0; the outputs Apache-2.0",
        source: "xindili-cmu/anlp-project-multihop @ df0d575",
        splits: { test },
      }),
      objective: answerAlone({ value: "token_f1" }),
    });
  };
}

/** Returns the answer that its input holds. */
const asRecorded = program({
  name: "as-recorded",
  version: "1",
  input: { question: text("question"), answer: text("answer"), steps: z.int().min(0) },
  output: {
    answer: text("answer"),
    steps: z.int().min(0).describe("Cycles of retrieval and generation in turn."),
  },
  predictors: {},
  forward: async ({ answer, steps }) => ({ answer, steps }),
});

/** What follows the last "answer is" of the chain; all of the chain if it does not say so. */
function answerIn(steps: readonly ChainStep[]): string {
  const thought = steps.at(-1)?.thought ?? "";
  const mark = "answer is";
  const index = thought.lastIndexOf(mark);
  if (index < 0) return thought;
  const rest = thought.slice(index + mark.length).trim();
  return (rest.startsWith(":") ? rest.slice(1) : rest).replace(/\.$/, "").trim();
}

function withoutChain(id: string, path: string): EspalierError {
  return new EspalierError({
    code: "dataset-invalid",
    problem: `Question \`${id}\` has a recorded answer and no chain`,
    where: path,
    expected: "a chain for each answer",
    fix: "Take both files from one recording.",
  });
}
