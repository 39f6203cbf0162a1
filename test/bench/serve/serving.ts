import { predict, program, signature, text } from "espalier";
import { chatModel, serving } from "espalier/serve";

const answer = signature({
  name: "answer",
  instruction: "Answer the question in one sentence.",
  input: { question: text("question", "What is asked.") },
  output: { answer: text("answer", "One sentence.") },
});

/** One call, streamed to clients that request a stream. */
const answerer = program({
  name: "answerer",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer") },
  predictors: { answer: predict(answer) },
  forward: ({ question }, { predictors }) => predictors.answer({ question }, { stream: "answer" }),
});

// oxlint-disable-next-line import/no-default-export -- a serving file is a default export
export default serving({
  name: "bench",
  models: [
    chatModel({
      id: "bench",
      program: answerer,
      inputOf: ({ question }) => ({ question }),
      answerOf: ({ answer }) => ({ answer }),
    }),
  ],
});
