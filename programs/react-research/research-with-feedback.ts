import type { Metric, Passage, Trace } from "espalier";
import { metric, notApplicable, scored, tokenF1Of } from "espalier/metric";

interface Labels {
  readonly answers: readonly string[];
  readonly relevant: Readonly<Record<string, number>>;
}

/**
 * Token F1 of the answer, with feedback on what the searches missed. Further objective:
 * `negated_tool_calls`, since fewer are better.
 */
export function researchWithFeedback({
  passageOf,
}: {
  readonly passageOf: (id: string) => Passage | undefined;
}): Metric<{ readonly question: string }, { readonly answer: string }, Labels> {
  return metric({
    name: "token_f1",
    version: "1",
    appliesTo: ({ labels }) => labels.answers.length > 0,
    score: ({ example: { input, labels }, output, trace }) => {
      if (labels.answers.length === 0) return notApplicable("No answer to the question is known.");
      const value = tokenF1Of(output.answer, labels.answers);
      const calls = toolCallsIn(trace);
      const shown = calls.map((call) => JSON.stringify(call.output ?? "")).join("\n");
      const missed = Object.keys(labels.relevant).filter((id) => !shown.includes(`[${id}]`));
      const others = { negated_tool_calls: -calls.length };
      if (value === 1) return scored(value, "The answer is right.", [], others);
      const feedback = [
        ...(missed.length > 0 && calls.length > 0 ? [searchAgain] : []),
        ...(value > 0 ? ["Write only the name, the number or the phrase that is asked for."] : []),
        `Question: ${input.question}`,
        `Expected answer: ${labels.answers[0]}`,
        `Answer: ${output.answer}`,
        ...missed.flatMap((id) => passageOf(id) ?? []).map(missedLine),
      ];
      return scored(value, feedback.join("\n"), [], others);
    },
  });
}

const searchAgain =
  "You must search again with the names that the passages hold, until nothing is missing.";

function missedLine({ title = "", text }: Passage): string {
  return `Missing passage: ${title === "" ? text.slice(0, 200) : `${title}: ${text.slice(0, 200)}`}`;
}

function toolCallsIn({ children }: Trace) {
  return children.flatMap((node) => (node.kind === "predictor" ? (node.tools ?? []) : []));
}
