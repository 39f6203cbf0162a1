import type { Study } from "espalier";
import { corpus } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { notesGuided } from "../../programs/notes-guided/index.ts";
import type { ConversationalLabels } from "../../trainsets/conversational.ts";
import { fourShelves, fourShelvesPassages } from "../../trainsets/four-shelves/index.ts";
import { answerQuality } from "./answer-quality.ts";
import { goldOfConversations } from "./gold-of-conversations.ts";
import { indexesByCollection } from "./indexes-over.ts";
import { mtragData, mtragTogether } from "./mtrag-data.ts";
import type { RetrievalData } from "./retrieval-data.ts";

export interface AnsweringOptions {
  /** @default four shelves */
  readonly data?: RetrievalData<ConversationalLabels>;
  /** How queries are written. @default "greedily" */
  readonly samples?: "greedily" | "as-authors";
  /** See `notesGuided`. @default "label" */
  readonly routing?: "label" | "weighed";
}

/** What judges whether there is an answer, and what writes it: not what retrieves. */
export const judgingAndAnswering = [
  "classifyAnswerability",
  "writeCompleteAnswer",
  "writePartialAnswer",
  "askClarification",
] as const;

/** The same for every search over judging and answering, so that their gains compare. */
export const answeringBudget = { metricCalls: 3_000 } as const;

/** Variants of a study on MTRAG: each turn searched in its own collection, or in all as one. */
export function onMtrag(
  studied: (data: RetrievalData<ConversationalLabels>) => Promise<Study>,
): Readonly<Record<"mtrag" | "mtrag-together", () => Promise<Study>>> {
  return {
    mtrag: async () => studied(await mtragData()),
    "mtrag-together": async () => studied(await mtragTogether()),
  };
}

/**
 * The whole notes-guided system, scored by the IDK-conditioned harmonic mean, on four shelves
 * unless other data is given. Retrieval is greedy, unless it samples as the authors did.
 */
export async function notesGuidedAnswering(
  parts: Parts,
  { data, samples = "greedily", routing = "label" }: AnsweringOptions = {},
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
