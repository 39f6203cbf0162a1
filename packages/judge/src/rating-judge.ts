import type { Passage, Turn, TunableProgram } from "../../../src/index.ts";
import { predict, program, conversation, passages, signature, text } from "../../../src/index.ts";
import type { Judge } from "./judge.ts";
import { runJudge } from "./judge.ts";

interface RatingCase {
  readonly question: string;
  /** Turns before the question, oldest first. */
  readonly history: readonly Turn[];
  readonly response: string;
  readonly reference: string;
  readonly passages: readonly Passage[];
}

interface RatingVerdict {
  /** Rating divided by 10, in (0, 1]. */
  readonly value: number;
  /** The judge's whole text. */
  readonly explanation: string;
}

const rateResponse = signature({
  name: "rate-response",
  instruction: `Rate a response to the last question of a conversation, fairly and by what is written alone. Look at three things:
- faithfulness: whether what it says rests on the passages and the conversation;
- appropriateness: whether it speaks to what was asked, all of it, and to nothing else;
- completeness: whether it gives everything that the passages hold on the question.
The reference is a good response. Begin with how the response differs from it, name what each of the three loses by that, and close with a line that holds nothing but a whole or half number from 1 (useless) to 10 (as good as the reference), in this form:
Rating: [[number]]`,
  input: {
    history: conversation("The conversation before the question."),
    question: text("question", "The question that the response replies to."),
    reference: text("reference", "A good response."),
    response: text("response", "The response to rate."),
    passages: passages("What the response may draw on."),
  },
  output: { judgement: text("judgement", "The comparison, and the rating on its last line.") },
});

/**
 * Compares a response with its reference and rates it, after the judge of RAD-Bench (Kuo et al.
 * 2024).
 */
const ratingProgram: TunableProgram<RatingCase, { readonly judgement: string }> = program({
  name: "rating-judge",
  version: "1",
  input: {
    question: text("question"),
    history: conversation(),
    response: text("response"),
    reference: text("reference"),
    passages: passages(),
  },
  output: { judgement: text("judgement") },
  predictors: { rateResponse: predict(rateResponse) },
  forward: async (given, { predictors }) => predictors.rateResponse(given),
});

/** RB_llm: a rating from 1 to 10, divided by 10, read from the judge's text by `ratingIn`. */
export const judgeRating: Judge<RatingCase, RatingVerdict> = async (given, run) => {
  const { judgement } = await runJudge(ratingProgram, given, run);
  return { value: ratingIn(judgement), explanation: judgement };
};

/**
 * The forms of a rating, tried in this order, in either case. They follow the official script
 * (`judge_utils.py` of IBM's mt-rag-benchmark, commit cc5b1d4); its number, `\d*\.?\d+`, is
 * rewritten so that the expression never backtracks over digits.
 */
const forms: readonly RegExp[] = [
  /rating: \[\[(\d+)\]\]/iu,
  /rating: (\d+)/iu,
  /\[\[(\d+)\]\]/u,
  /\[(\d+)\]/u,
  /rating: \[\[(\d+(?:\.\d+)?|\.\d+)\]\]/iu,
  /overall rating: (\d+(?:\.\d+)?|\.\d+)/iu,
  /score: (\d+(?:\.\d+)?|\.\d+)\/10/iu,
  /score: (\d+(?:\.\d+)?|\.\d+)/iu,
  /\[rating\]\n(\d+)/iu,
  /rating: \[\[(\d+)\/10\]\]/iu,
  /rating: \[\[([-+]?(?:\d+(?:\.\d+)?|\.\d+))/iu,
  /(?<!\d(?=\d))([-+]?(?:\d+(?:\.\d+)?|\.\d+)) out of 10/iu,
];

const unclear = 0.5;

/**
 * The rating from 1 to 10 at the end of a judge's reply, divided by 10; in (0, 1]. Ignores what
 * follows "for example:" on its line. The last form that occurs anywhere decides, by its first
 * occurrence: "Rating: [[9]] and 3 out of 10" is 0.3, "[3] says so. Rating: [[8.5]]" is 0.85. 0.5
 * if there is no rating or it is out of range.
 */
export function ratingIn(reply: string | null): number {
  if (reply === null) return unclear;
  const text = reply.replaceAll(/for example:[^\n]*/giu, "");
  const found = forms.flatMap((form) => form.exec(text)?.[1] ?? []).at(-1);
  if (found === undefined) return unclear;
  const rating = Number(found) / 10;
  return rating <= 0 || rating > 1 ? unclear : rating;
}
