/**
 * Serves the four systems as chat models over four shelves: `espalier serve optimizers/serving.ts
 * --lm URL`, with embedder and reranker from the servers file. `--rehearsal` only shows that the
 * parts fit together.
 */
import type { RankedPassage, Text, TunableProgram } from "espalier";
import type { ChatModel } from "espalier/serve";
import { chatModel, citationsOf, serving } from "espalier/serve";
import { corpus, lexicalReranker } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { ailsNtua } from "../programs/ails-ntua/index.ts";
import { hanrag } from "../programs/hanrag/index.ts";
import { notesGuided } from "../programs/notes-guided/index.ts";
import { r2rag, vanillaAgent, vanillaRag } from "../programs/r2rag/index.ts";
import { fourShelvesPassages } from "../trainsets/four-shelves/index.ts";
import { shelfIndexes } from "./support/collections-of-shelves.ts";
import { indexesOver } from "./support/indexes-over.ts";
import { ofAnswers, ofCitingAnswers } from "./support/live-metrics.ts";
import { r2ragParts, mockThreshold } from "./support/r2rag-parts.ts";

export default async (parts: Parts) => {
  const shelves = await indexesOver("four-shelves", corpus(await fourShelvesPassages()), parts);
  const byShelf = await shelfIndexes();
  const researched = r2ragParts(parts.search() ?? shelves.sparse, parts);
  const r2ragModel = servedR2rag(parts);

  return serving({
    name: "four-shelves",
    models: [
      chatModel({
        id: "notes-guided",
        ...aboutShelves("Writes notes of what it finds, and answers from them."),
        liveMetrics: ofAnswers,
        program: notesGuided(shelves),
        inputOf: ({ question, history }) => ({ question, history }),
        answerOf: ({ answer, passages }) => ({ answer, citations: citationsOf(passages) }),
      }),
      r2ragModel("r2rag", r2rag(researched)),
      r2ragModel("r2rag/vanilla-rag", vanillaRag(researched)),
      r2ragModel("r2rag/vanilla-agent", vanillaAgent(researched)),
      // Reads a single question, not the conversation before it.
      chatModel({
        id: "hanrag",
        ...aboutShelves("Takes a question apart, and answers it in as many steps as it needs."),
        liveMetrics: ofAnswers,
        program: hanrag({ retriever: shelves.sparse }),
        inputOf: ({ question }) => ({ question }),
        answerOf: ({ answer, passages }) => ({ answer, citations: citationsOf(passages) }),
      }),
      chatModel({
        id: "ails-ntua",
        ...aboutShelves("Searches with several wordings, and says when there is no answer."),
        liveMetrics: ofAnswers,
        program: ailsNtua({
          sparse: byShelf,
          reranker: parts.reranker({ mock: () => lexicalReranker({ index: byShelf.other }) }),
        }),
        // A chat does not name the shelf that it is about.
        inputOf: ({ question, history }) => ({ question, history, corpus: "other" as const }),
        answerOf: ({ answer, contexts }) => ({ answer, citations: citationsOf(contexts) }),
      }),
    ],
    checks: {
      passages: (signal) => shelves.sparse.doRetrieve({ query: "river", k: 1 }, { signal }),
    },
  });
};

/** What the page says of a system before the first question. */
function aboutShelves(how: string) {
  return {
    description: `${how} It knows four shelves of invented documents: an encyclopedia, the offices of Halmere, the cloud of Tarnwell and a forum on money.`,
    exampleQuestions: [
      "In what year was the giant fish of the Vessen given up for lost?",
      'Whose picture is "Peat Cutters at Seven"?',
      "How many voters must back me before I can run for Halmere's regional assembly?",
    ],
  };
}

/** Reads a single question, as the authors' server does, not the conversation before it. */
function servedR2rag(parts: Parts) {
  return (id: string, system: ResearchSystem): ChatModel =>
    chatModel({
      id,
      ...aboutShelves("Researches the question, and cites what it found."),
      liveMetrics: ofCitingAnswers,
      program: system.with(mockThreshold(parts)),
      inputOf: ({ question, askedAt }) => ({ question, currentTime: askedAt.toISOString() }),
      answerOf: ({ answer, citations }) => ({ answer, citations: citationsOf(citations) }),
    });
}

type ResearchSystem = TunableProgram<
  { readonly question: Text<"question">; readonly currentTime?: Text<"time"> | undefined },
  { readonly answer: Text<"answer">; readonly citations: readonly RankedPassage[] }
>;
