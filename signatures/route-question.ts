import { signature, text } from "espalier";
import { z } from "zod";

/** The four ways through HANRAG (section 3), from the least work to the most. */
export const questionRoutes = ["straightforward", "single-step", "compound", "complex"] as const;

/** The kind of a question, which decides how it is answered. */
export type QuestionRoute = (typeof questionRoutes)[number];

/** Router of HANRAG (section 4.1): which of four kinds a question is. */
export const routeQuestion = signature({
  name: "route-question",
  instruction: `Decide which kind of question this is, by the work that its answer takes.
straightforward: common knowledge. You can answer it without looking anything up.
single-step: it asks for one fact that has to be looked up, and one search finds it.
compound: it asks for two or more facts that do not depend on each other, as several attributes of one thing; each can be looked up on its own.
complex: it is a chain. Something in it is only described, and has to be found out before the next search can be worded.`,
  input: { question: text("question", "The question to be answered.") },
  output: { route: z.enum(questionRoutes).describe("The kind of question") },
});
