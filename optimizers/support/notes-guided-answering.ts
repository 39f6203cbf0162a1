import { lexicalGenerationQuality } from "espalier/metric";
import { corpus } from "espalier/retrieval";
import { notesGuided } from "../../programs/notes-guided/index.ts";
import { fourShelves, fourShelvesPassages } from "../../trainsets/four-shelves/index.ts";
import { indexesOver } from "./indexes-over.ts";

/**
 * The whole notes-guided system on four shelves, scored by the IDK-conditioned harmonic mean with
 * the lexical stand-in for RB_agg, which needs no model.
 */
export async function notesGuidedAnswering() {
  const trainset = await fourShelves();
  return {
    program: notesGuided({
      ...(await indexesOver(trainset.name, corpus(await fourShelvesPassages()))),
      sampling: { temperature: 0, maxCompletionTokens: 10_000 },
    }),
    trainset,
    objective: lexicalGenerationQuality({
      answer: "answer",
      passages: "passages",
      reference: "answer",
      answerability: "answerability",
      relevant: "relevant",
      blame: {
        retrieving: ["generateQueries", "buildNotes"],
        abstaining: ["classifyAnswerability"],
        answering: ["writeCompleteAnswer", "writePartialAnswer", "askClarification"],
      },
    }),
  };
}
