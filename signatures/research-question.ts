import { signature, text } from "espalier";

/** A short answer to a question, found out with tools. */
export const researchQuestion = signature({
  name: "research-question",
  instruction: "Answer the question.",
  input: { question: text("question", "The question to be answered.") },
  output: { answer: text("answer", "The answer, as short as possible.") },
});
