import { signature, text } from "espalier";

/** Single questions of HANRAG's compound benchmark (appendix B.1): one fact of one document. */
export const askAboutEntity = signature({
  name: "ask-about-entity",
  instruction: `Write one simple question about the entity that the document answers, and its answer.
- The question asks for one fact, names the entity, and can be understood without the document.
- The answer stands in the document word for word: a name, a date, a number or a phrase of a few words.`,
  input: {
    entity: text("entity", "The name of what the question is about."),
    document: text("passage", "The document that holds the answer."),
  },
  output: {
    question: text("question", "The simple question about the entity."),
    answer: text("answer", "The answer, in the words of the document.", { max: 200 }),
  },
});
