import { corpus } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { notesGuided } from "../../programs/notes-guided/index.ts";
import type { ConversationalLabels } from "../../trainsets/conversational.ts";
import { fourShelves, fourShelvesPassages } from "../../trainsets/four-shelves/index.ts";
import { answerQuality } from "./answer-quality.ts";
import { goldOfConversations } from "./gold-of-conversations.ts";
import { indexesByCollection } from "./indexes-over.ts";
import type { RetrievalData } from "./retrieval-data.ts";

/**
 * The whole notes-guided system, scored by the IDK-conditioned harmonic mean, on four shelves
 * unless other data is given. Retrieval is greedy, unless it samples as the authors did.
 */
export async function notesGuidedAnswering(
  parts: Parts,
  {
    data,
    samples = "greedily",
    routing = "label",
  }: {
    readonly data?: RetrievalData<ConversationalLabels>;
    readonly samples?: "greedily" | "as-authors";
    readonly routing?: "label" | "weighed";
  } = {},
) {
  const studied = data ?? {
    trainset: await fourShelves(),
    corpus: corpus(await fourShelvesPassages()),
  };
  const { trainset, corpus: searched } = studied;
  const byId = new Map(searched.passages.map((passage) => [passage.id, passage]));
  return {
    program: notesGuided({
      routing,
      ...(await indexesByCollection(trainset.name, studied, parts)),
      ...(samples === "greedily" && {
        sampling: { temperature: 0, maxCompletionTokens: 10_000 },
      }),
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
