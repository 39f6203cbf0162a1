import { predict, program, signature, study, text } from "espalier";
import { metric, scored } from "espalier/metric";

const examples = Array.from({ length: 2_000 }, (_, index) => ({
  id: `e${index}`,
  input: { question: `What is the ${index}th of them?` },
  labels: {},
}));

const answer = signature({
  name: "answer",
  instruction: "Answer.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});

/** One call for each example, or none. */
export const benched = (asks: boolean) =>
  study({
    name: asks ? "one-call" : "no-call",
    program: program({
      name: "benched",
      version: "1",
      input: { question: text("question") },
      output: { answer: text("answer") },
      predictors: { answer: predict(answer) },
      forward: async (given, { predictors }) =>
        asks ? predictors.answer(given) : { answer: "it" },
    }),
    objective: metric({ name: "one", version: "1", score: () => scored(1) }),
    trainset: {
      name: "counted",
      version: "1",
      licence: "CC0-1.0",
      source: "made up",
      checksum: "",
      splits: { train: [], val: examples, test: [] },
    },
  });

// oxlint-disable-next-line import/no-default-export -- the command line takes a study so
export default benched(true);
