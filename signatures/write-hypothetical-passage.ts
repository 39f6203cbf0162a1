import { conversation, signature, text } from "espalier";

/**
 * Rewriter by hypothetical document (AILS-NTUA, SemEval-2026 Task 8, section 3 and appendix B.13;
 * after Gao et al. 2023, HyDE): a passage that could answer the question, in the words that
 * documents use.
 */
export const writeHypotheticalPassage = signature({
  name: "write-hypothetical-passage",
  instruction: `Write what a document that answers the question could say. The text is used as a search query and never shown to anybody, so a guess does no harm: what counts is that it shares its words with real documents.

1. Make the question understandable without the conversation: replace pronouns and references by what they stand for.
2. Write a passage of two to four sentences that answers it. Write as the document would, with facts, names, dates and numbers where they belong, in the vocabulary of a reliable source. Do not speak of the question or of the user.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The conversation before the question, oldest turn first."),
  },
  output: {
    standalone: text("query", "The question, understandable without the conversation.", {
      max: 1000,
    }),
    passage: text("passage", "Two to four sentences of a document that answers it.", {
      max: 2000,
    }),
  },
});
