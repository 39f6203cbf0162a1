import type { Failure } from "../errors/index.ts";
import type { Json, JsonObject } from "./json.ts";
import type { FinishReason, LmMessage, LmReply, LmUsage } from "./language-model.ts";

/** One request to the LM and what came back. */
export interface LmCallRecord {
  readonly messages: readonly LmMessage[];
  readonly seed: number;
  readonly rawText: string | null;
  readonly reasoning: string | null;
  readonly finishReason: FinishReason | null;
  readonly usage: LmUsage | null;
  readonly latencyMs: number;
  readonly source: LmReply["source"] | null;
  readonly failure?: Failure;
}

interface TraceNodeBase {
  /** Unique within the trace and independent of timing: `hop[1]/generateQueries`. */
  readonly path: string;
  readonly failure?: Failure;
}

export interface PredictorTrace extends TraceNodeBase {
  readonly kind: "predictor";
  /** Name the program gives the predictor. */
  readonly predictor: string;
  readonly signature: string;
  readonly inputs: JsonObject;
  /** Absent when the call failed. */
  readonly outputs?: JsonObject;
  /** The first request and, if its reply could not be used, the correction. */
  readonly calls: readonly LmCallRecord[];
  readonly latencyMs: number;
}

export interface RetrievalTrace extends TraceNodeBase {
  readonly kind: "retrieval";
  readonly retriever: string;
  readonly query: string;
  readonly k: number;
  /** Ranked, best first; empty when the retrieval failed. */
  readonly results: readonly { readonly id: string; readonly score: number }[];
  /** What a reranker asked of the run's LM, in the order it began; absent where it asked nothing. */
  readonly calls?: readonly LmCallRecord[];
  readonly latencyMs: number;
}

/** Calls made under one step of the program, as one hop of several. */
export interface ScopeTrace extends TraceNodeBase {
  readonly kind: "scope";
  readonly children: readonly TraceNode[];
}

export type TraceNode = PredictorTrace | RetrievalTrace | ScopeTrace;

/** All that one run of a program did, as a tree. Siblings stand in the order they started. */
export interface Trace {
  readonly program: string;
  readonly version: string;
  readonly input: JsonObject;
  readonly output?: JsonObject;
  readonly failure?: Failure;
  /** Set by the program through `call.note`, by key: decisions worth reading later. */
  readonly notes: Readonly<Record<string, Json>>;
  readonly children: readonly TraceNode[];
  readonly latencyMs: number;
}
