import type { Demonstration, JsonObject, PredictorTrace, TraceNode } from "espalier";
import { rehearsalEmbedder, rehearsalLm } from "@espalier/rehearsal";
import { bm25Index, corpus, denseIndex, lexicalReranker } from "espalier/retrieval";
import { notesGuided } from "../../../programs/notes-guided/index.ts";
import { fourShelves, fourShelvesPassages } from "../../../trainsets/four-shelves/index.ts";

export interface RecordedCall {
  readonly predictor: string;
  readonly inputs: JsonObject;
}

export interface RecordedCalls {
  readonly program: ReturnType<typeof notesGuided>;
  readonly calls: readonly RecordedCall[];
  /** Demonstrations by predictor, from other examples than the recorded ones. */
  readonly demos: Readonly<Record<string, readonly Demonstration[]>>;
}

/**
 * Records the requests of notes-guided RAG over examples of four shelves, in order, with the
 * rehearsal LM.
 */
export async function recordedCalls(examples: number, demoCount: number): Promise<RecordedCalls> {
  const searched = corpus(await fourShelvesPassages());
  const sparse = await bm25Index({ corpus: searched });
  const dense = await denseIndex({ corpus: searched, embedder: rehearsalEmbedder() });
  const program = notesGuided({ sparse, dense, reranker: lexicalReranker({ index: sparse }) });
  const { splits } = await fourShelves();
  const lm = rehearsalLm();
  const tracesOf = async (given: typeof splits.train): Promise<(readonly PredictorTrace[])[]> => {
    const traces = [];
    for (const { id, input } of given) {
      const { trace } = await program.attempt(input, { lm, exampleId: id });
      traces.push(predictorsIn(trace.children));
    }
    return traces;
  };

  const demos: Record<string, Demonstration[]> = {};
  // Few examples reach every predictor; each example contributes at most one case to a predictor.
  const lenders = splits.train.slice(0, 24);
  for (const [index, trace] of (await tracesOf(lenders)).entries()) {
    const lent = new Set<string>();
    for (const { predictor, inputs, outputs } of trace) {
      const held = (demos[predictor] ??= []);
      if (outputs === undefined || held.length >= demoCount || lent.has(predictor)) continue;
      held.push({ exampleId: lenders[index]?.id ?? "", inputs, outputs });
      lent.add(predictor);
    }
  }
  const traces = await tracesOf(splits.test.slice(0, examples));
  const calls = traces.flat().map(({ predictor, inputs }) => ({ predictor, inputs }));
  return { program, calls, demos };
}

function predictorsIn(nodes: readonly TraceNode[]): readonly PredictorTrace[] {
  return nodes.flatMap((node) => {
    if (node.kind === "scope") return predictorsIn(node.children);
    return node.kind === "predictor" ? [node] : [];
  });
}
