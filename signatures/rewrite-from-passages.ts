import { conversation, passages, signature, text } from "espalier";

/**
 * Passage-informed rewriter (AILS-NTUA, SemEval-2026 Task 8, appendix B.6), which they tried and
 * left: it sees what a first search found. The paper prints no prompt: the words are ours.
 */
export const rewriteFromPassages = signature({
  name: "rewrite-from-passages",
  instruction: `Rewrite the question of a conversation for a second search, knowing what the first one found.

- It must be understandable without the conversation: replace pronouns and references by what they stand for.
- Where a passage is about what is asked, take over its names, its headings and the terms it uses.
- Ask also for what the answer needs and no passage holds.
- Passages may all be beside the point. Then keep to the question, and take nothing from them.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The conversation before the question, oldest turn first."),
    query: text("query", "What the first search was asked."),
    passages: passages("What the first search found, best first."),
  },
  output: {
    rewritten: text("query", "The query of the second search.", { max: 1000 }),
  },
});
