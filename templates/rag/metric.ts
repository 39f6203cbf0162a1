import type { MetricArguments, RankedPassage } from "espalier";
import { metric, scored, tokenF1Of } from "espalier/metric";

interface Output {
  readonly answer: string;
  readonly passages: readonly RankedPassage[];
}

interface Labels {
  /** A good answer. */
  readonly answer: string;
  /** The file that holds it. */
  readonly file: string;
}

/**
 * How many words the answer shares with a good one (F1). Where the search did not find the file,
 * the query is to blame, and the step that answers is left alone.
 */
export const answerF1 = metric({
  name: "answer-f1",
  version: "1",
  score: ({ output, example }: MetricArguments<unknown, Output, Labels>) => {
    const { answer, file } = example.labels;
    const isFound = output.passages.some(({ id }) => id.startsWith(`${file}#`));
    const value = tokenF1Of(output.answer, [answer]);
    return scored(
      value,
      `A good answer: ${answer}`,
      isFound ? [] : [{ path: "query", score: 0, text: `The search did not find ${file}.` }],
      { found: isFound ? 1 : 0 },
    );
  },
});
