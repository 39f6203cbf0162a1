import { signature, text } from "espalier";
import { z } from "zod";

const answer = (name: string) => text("answer", `Answer ${name}.`);
const words = (name: string) => z.int().describe(`Words of answer ${name}.`);
const overlap = (name: string) =>
  z.number().describe(`Percentage of answer ${name}'s 4-grams that stand in the facts.`);
const score = (name: string) =>
  z.number().min(0).max(10).describe(`Quality of answer ${name}, from 0 to 10.`);

/** Technical judge of two candidates (AILS-NTUA, SemEval-2026 Task 8, appendix C.1, stage 3). */
export const judgeGrounding = signature({
  name: "judge-grounding",
  instruction: `Compare two answers to the question by the facts.
- Faithfulness: everything it states is in the facts.
- Completeness: it covers what was asked as far as the facts do.
- Naturalness: it reads like the reply of a person.
The best share of wording taken from the facts is 28 to 45 %. Give each answer a score from 0 to 10, and name the better one.`,
  input: {
    question: text("question", "The user's latest question."),
    spans: z
      .array(text("span"))
      .describe("The facts: sentences from the documents, maybe cut short."),
    answerA: answer("A"),
    wordsA: words("A"),
    overlapA: overlap("A"),
    answerB: answer("B"),
    wordsB: words("B"),
    overlapB: overlap("B"),
  },
  output: {
    winner: z.enum(["A", "B"]).describe("The better answer."),
    scoreA: score("A"),
    scoreB: score("B"),
  },
});
