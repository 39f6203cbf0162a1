import type {
  Passage,
  PassageReranker,
  RankedPassage,
  Retriever,
  RetrievalTrace,
  Trace,
  TraceNode,
} from "espalier";
import { rehearsalEmbedder } from "@espalier/rehearsal";
import { bm25Index, denseIndex, lexicalReranker } from "espalier/retrieval";
import type { NotesGuidedParts } from "../../../programs/notes-guided/index.ts";
import { shelf } from "../../retrieval/shelf.ts";

export const question = "When was the iron footbridge of Ostrel finished?";
/** A question with a short conversation before it. */
export const input = {
  question,
  history: [
    { speaker: "user", text: "Tell me about Ostrel." },
    { speaker: "assistant", text: "It is a town at a river crossing." },
  ],
} as const;

/** One number of a candidate. */
export const parameter = (path: string, value: number) =>
  ({ kind: "parameter", path, value }) as const;

/** Both indexes over the towns, in memory, and a reranker that needs no model. */
export async function townParts(): Promise<
  Required<Omit<NotesGuidedParts, "sampling" | "notesRead">>
> {
  const embedder = rehearsalEmbedder({ dimensions: 64 });
  return {
    sparse: await bm25Index({ corpus: shelf }),
    dense: await denseIndex({ corpus: shelf, embedder }),
    reranker: lexicalReranker(),
  };
}

/** Finds the same passages for every query, best first. */
export function fixedRetriever(name: string, passages: readonly Passage[]): Retriever {
  return {
    name,
    version: "1",
    doRetrieve: async ({ k }) =>
      passages.slice(0, k).map((passage, index) => ({ ...passage, score: 1 / (index + 1) })),
  };
}

/** Keeps the order and the scores it is given. */
export const asGiven: PassageReranker = {
  name: "asGiven",
  version: "1",
  doRerank: async ({ passages, k }) => (passages as readonly RankedPassage[]).slice(0, k),
};

/** Every call in the order it started, without the scopes. */
export function callsOf({ children }: Trace): readonly Exclude<TraceNode, { kind: "scope" }>[] {
  return children.flatMap((node) =>
    node.kind === "scope" ? node.children.filter((call) => call.kind !== "scope") : [node],
  );
}

export function pathsOf(trace: Trace): readonly string[] {
  return callsOf(trace).map(({ path }) => path);
}

export function retrievalAt(trace: Trace, path: string): RetrievalTrace {
  const found = callsOf(trace).find((call) => call.path === path);
  if (found?.kind === "retrieval") return found;
  throw new Error(`The trace has no retrieval at "${path}".`);
}
