/**
 * R2RAG as its authors deployed it, with optimizers/servers/r2rag.json: Qwen3-4B at their sampling,
 * Qwen3-Reranker-0.6B by P(yes) above .6, ClueWeb22 behind a search API, the model's own tokenizer.
 * Without a search engine, on four shelves.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import { bm25Index, corpus } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { citedAnswer, r2rag, vanillaAgent, vanillaRag } from "../programs/r2rag/index.ts";
import { fourShelvesPassages, fourShelvesQuestions } from "../trainsets/four-shelves/index.ts";
import { indexFile } from "./support/indexes-over.ts";
import { deployedParts, mockThreshold } from "./support/r2rag-parts.ts";

export default async (parts: Parts) => {
  const shelves = corpus(await fourShelvesPassages());
  const byId = new Map(shelves.passages.map((passage) => [passage.id, passage]));
  const web = parts.search();
  const searched = web ?? (await bm25Index(indexFile("four-shelves", shelves)));
  const deployed = {
    ...deployedParts(searched, parts),
    // As the authors state it of ClueWeb22 (appendix A.5); nothing dates four shelves.
    ...(web !== undefined && { knowledgeCutoff: "December 2024" as const }),
  };
  const common = {
    name: "r2rag-deployed",
    trainset: await fourShelvesQuestions(),
    objective: citedAnswer({ passageOf: (id) => byId.get(id) }),
    optimizer: gepa({ budget: { metricCalls: 2_000 }, search: { frontier: "hybrid" } }),
  };
  const fitted = mockThreshold(parts);
  return study({
    ...common,
    program: r2rag(deployed).with(fitted),
    variants: {
      "vanilla-rag": () => study({ ...common, program: vanillaRag(deployed).with(fitted) }),
      "vanilla-agent": () => study({ ...common, program: vanillaAgent(deployed).with(fitted) }),
    },
  });
};
