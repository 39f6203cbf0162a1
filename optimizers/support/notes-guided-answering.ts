import { corpus } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { notesGuided } from "../../programs/notes-guided/index.ts";
import { fourShelves, fourShelvesPassages } from "../../trainsets/four-shelves/index.ts";
import { answerQuality } from "./answer-quality.ts";
import { goldOfConversations } from "./gold-of-conversations.ts";
import { indexesOver } from "./indexes-over.ts";

/**
 * The whole notes-guided system on four shelves, scored by the IDK-conditioned harmonic mean.
 */
export async function notesGuidedAnswering(parts: Parts) {
  const trainset = await fourShelves();
  const searched = corpus(await fourShelvesPassages());
  const byId = new Map(searched.passages.map((passage) => [passage.id, passage]));
  return {
    program: notesGuided({
      ...(await indexesOver(trainset.name, searched, parts)),
      sampling: { temperature: 0, maxCompletionTokens: 10_000 },
    }),
    trainset,
    gold: goldOfConversations((id) => byId.get(id)),
    objective: answerQuality(parts, {
      passages: "passages",
      blame: {
        retrieving: ["generateQueries", "buildNotes"],
        abstaining: ["classifyAnswerability"],
        answering: ["writeCompleteAnswer", "writePartialAnswer", "askClarification"],
      },
    }),
  };
}
