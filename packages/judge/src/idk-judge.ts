import { z } from "zod";
import type { Demonstration, Turn, TunableProgram } from "../../../src/index.ts";
import { predict, program, conversation, signature, text } from "../../../src/index.ts";
import { pythonTrimStart } from "../../../src/metric/index.ts";
import type { IdkVerdict } from "./conditioning.ts";
import type { Judge } from "./judge.ts";
import { runJudge } from "./judge.ts";

/** Cases that mark the boundaries between yes, partial and no; all our own writing. */
const idkShots: readonly Demonstration[] = [
  shot("How long does the ferry to Ostrel take?", "The crossing takes forty minutes.", "no"),
  shot("Who designed the lighthouse?", "I could not find out who designed the lighthouse.", "yes"),
  shot(
    "What do tickets for the museum cost, and is there a reduction for pupils?",
    "A ticket costs eight crowns. About reductions nothing is said in the documents I have.",
    "partial",
  ),
  shot("What is the tram depot used for today?", "Sorry, that is not something I know.", "yes"),
  shot(
    "May I bring a bicycle onto the night train?",
    "The timetable does not say so in one word, but since every coach has a bicycle rack, you may.",
    "no",
  ),
  shot(
    "Why was the mill closed?",
    "The records give no reason. They do say that it was closed in 1911, and that its wheel was sold the year after.",
    "partial",
  ),
  shot(
    "Which of the two bridges is longer?",
    "Neither length is compared anywhere. The iron bridge is 120 metres and the stone bridge 95 metres long, so the iron bridge is longer.",
    "no",
  ),
  shot(
    "How do I renew my fishing permit online?",
    "The passages are about hunting permits only. Please ask the town hall.",
    "yes",
  ),
  shot(
    "Is the bakery open on Sundays?",
    "No, it is closed on Sundays and on Monday mornings.",
    "no",
  ),
  shot(
    "What is a lock keeper, and how many lived at the canal?",
    "A lock keeper opens and closes the gates for passing boats. How many of them lived at the canal is not recorded.",
    "partial",
  ),
  shot(
    "And who paid for it?",
    "That depends on which of the two towers you mean. Could you tell me?",
    "yes",
  ),
  shot(
    "Does the town have a swimming pool?",
    "There is no mention of a swimming pool. There is a lake with a bathing place, though, a short walk from the station.",
    "partial",
  ),
];

interface IdkCase {
  readonly question: string;
  /** Turns before the question, oldest first. */
  readonly history: readonly Turn[];
  readonly response: string;
}

const verdict = z.enum(["yes", "partial", "no"]);

const declining = signature({
  name: "judge-declining",
  instruction: `Does the response tell the reader that it lacks the information to answer? Look at what it says of itself and not at whether it is right.
yes: it says that the question cannot be answered, and gives no answer.
partial: it says so of a part of the question, and answers another part.
no: it answers, and says of no part that the information is missing. Reasoning of its own, or a passage that does not say something it concludes all the same, changes nothing.`,
  input: {
    history: conversation("The conversation before the question."),
    question: text("question", "What was asked."),
    response: text("response", "The response to it."),
  },
  output: { verdict: verdict.describe("Whether the response declines.") },
});

/** Detects responses that decline to answer. */
const idkProgram: TunableProgram<IdkCase, { readonly verdict: "yes" | "no" | "partial" }> = program(
  {
    name: "idk-judge",
    version: "1",
    input: {
      question: text("question"),
      history: conversation(),
      response: text("response"),
    },
    output: { verdict },
    predictors: { judgeDeclining: predict(declining, { demos: idkShots }) },
    forward: async (given, { predictors }) => predictors.judgeDeclining(given),
  },
);

/**
 * Whether a response declines. The judge chooses among three words, so the verdict is never
 * unknown; a reply without one of them is a format failure. The shots are our own. See
 * `declinesByRule` for a substitute without a model, and `idkVerdictIn` for the official script's
 * reading of free text.
 */
export const judgeDeclining: Judge<IdkCase, IdkVerdict> = async (given, run) =>
  idkVerdictIn((await runJudge(idkProgram, given, run)).verdict);

/**
 * Reads from a judge's reply whether a response declines, by the rule of the official script
 * (`judge_utils.py` of IBM's mt-rag-benchmark, commit cc5b1d4): by its leading letters, in either
 * case. "yes" is 1, "no" is 0, any other word 0.5; a reply that does not begin with a letter, such
 * as "**yes**", is unknown. `null` if there is no reply.
 */
export function idkVerdictIn(reply: string): IdkVerdict;
export function idkVerdictIn(reply: string | null): IdkVerdict | null;
export function idkVerdictIn(reply: string | null): IdkVerdict | null {
  if (reply === null) return null;
  const word = /^[A-Za-z]+/.exec(pythonTrimStart(reply))?.[0].toLowerCase();
  if (word === undefined) return "unknown";
  return word === "yes" ? 1 : word === "no" ? 0 : 0.5;
}

function shot(question: string, response: string, verdict: string): Demonstration {
  return {
    exampleId: `shot: ${question}`,
    inputs: { history: [], question, response },
    outputs: { verdict },
  };
}
