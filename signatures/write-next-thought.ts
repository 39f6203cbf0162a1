import { passages, signature, text } from "espalier";
import { z } from "zod";

/**
 * Reasoner of IRCoT (Trivedi et al. 2023, section 3): the next sentence of a chain of thought,
 * which is the next query, from the passages found so far.
 */
export const writeNextThought = signature({
  name: "write-next-thought",
  instruction: `Reason towards the answer of the question, one sentence at a time. Write the next sentence only.
- State one fact that the passages give and that brings the answer closer, and name the things it is about.
- If the passages lack the next fact, say in a full sentence what has to be known next, so that a search for the sentence finds it.
- Do not repeat an earlier sentence.
- Once the facts are together, write the sentence that begins "So the answer is" and call it final.`,
  input: {
    question: text("question", "The question to be answered in the end."),
    passages: passages("The passages that were found so far."),
    thought: text("thought", 'The sentences written so far; "nothing" before the first.'),
  },
  output: {
    sentence: text("thought", "The next sentence."),
    isFinal: z.boolean().describe("Whether the sentence states the answer to the question."),
  },
});
