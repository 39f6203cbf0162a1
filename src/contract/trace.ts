import type { Failure } from "../errors/index.ts";
import type { Json, JsonObject } from "./json.ts";
import type { FinishReason, LmReply, LmUsage } from "./language-model.ts";
import type { LmMessage, LmToolCall } from "./lm-message.ts";

/** The times of a trace. */
export interface TraceClock {
  /** Milliseconds since an arbitrary start; never decreases. */
  now(): number;
  /** Milliseconds since 1970-01-01 UTC. */
  epochMs(): number;
}

/** One request to the LM and what came back. */
export interface LmCallRecord {
  readonly messages: readonly LmMessage[];
  readonly seed: number;
  readonly rawText: string | null;
  readonly reasoning: string | null;
  /** Calls that the model asked for; absent: none. */
  readonly toolCalls?: readonly LmToolCall[];
  readonly finishReason: FinishReason | null;
  readonly usage: LmUsage | null;
  /** Milliseconds since the start of the trace. */
  readonly startMs: number;
  readonly latencyMs: number;
  /** Further requests for the same call, made after transient faults. */
  readonly retries: number;
  readonly source: LmReply["source"] | null;
  readonly failure?: Failure;
}

/** Which label of an output field counts, and how likely each one is. */
export interface LabelDecision {
  /** What the model wrote. */
  readonly written: string | boolean;
  /** What the program received. */
  readonly decided: string | boolean;
  /**
   * Where the probabilities come from: from the log-probabilities of the reply's tokens, or from
   * outputs in which the model stated its confidence; `null` if the reply holds neither.
   */
  readonly source: "logprobs" | "verbalized" | null;
  /** By label, in [0, 1] with sum 1; `null` if `source` is. */
  readonly probabilities: Readonly<Record<string, number>> | null;
}

interface TraceNodeBase {
  /** Unique within the trace and independent of timing: `hop[1]/generateQueries`. */
  readonly path: string;
  /** Milliseconds since the start of the trace. */
  readonly startMs: number;
  readonly failure?: Failure;
}

/** An agent's tool call. */
export interface ToolTrace extends TraceNodeBase {
  readonly kind: "tool";
  readonly tool: string;
  readonly input: JsonObject;
  /** Absent if the call failed: `error` then says what the model was told. */
  readonly output?: Json;
  readonly error?: string;
  /** Whether the tool ran, or a result that was recorded before stood in. */
  readonly source: "tool" | "recording";
  readonly latencyMs: number;
}

export interface PredictorTrace extends TraceNodeBase {
  readonly kind: "predictor";
  /** The predictor's name in the program. */
  readonly predictor: string;
  readonly signature: string;
  readonly inputs: JsonObject;
  /** Absent when the call failed. */
  readonly outputs?: JsonObject;
  /**
   * Ids of the examples whose demonstrations the prompt showed, in its order, for predictors that
   * choose them at each call.
   */
  readonly demonstrations?: readonly string[];
  /** By output field, for predictors that ask for probabilities. */
  readonly decisions?: Readonly<Record<string, LabelDecision>>;
  /** The first request and, if its reply could not be used, the correction. */
  readonly calls: readonly LmCallRecord[];
  /** An agent's calls of tools, in the order they started; absent if there were none. */
  readonly tools?: readonly ToolTrace[];
  readonly latencyMs: number;
}

export interface RetrievalTrace extends TraceNodeBase {
  readonly kind: "retrieval";
  readonly retriever: string;
  readonly query: string;
  readonly k: number;
  /** Ranked, best first; empty when the retrieval failed. */
  readonly results: readonly { readonly id: string; readonly score: number }[];
  /**
   * A reranker's requests to the run's LM, in the order they started; absent if there were none.
   */
  readonly calls?: readonly LmCallRecord[];
  readonly latencyMs: number;
}

/** Calls made under one step of the program, such as one hop of several. */
export interface ScopeTrace extends TraceNodeBase {
  readonly kind: "scope";
  readonly children: readonly TraceNode[];
}

export type TraceNode = PredictorTrace | RetrievalTrace | ScopeTrace;

/** Everything that one run of a program did, as a tree. Siblings are in the order they started. */
export interface Trace {
  readonly program: string;
  readonly version: string;
  readonly input: JsonObject;
  readonly output?: JsonObject;
  readonly failure?: Failure;
  /** Set by the program through `call.note`, by key: decisions worth recording. */
  readonly notes: Readonly<Record<string, Json>>;
  readonly children: readonly TraceNode[];
  /** Milliseconds since 1970-01-01 UTC: the one absolute time, to which `startMs` adds. */
  readonly startedAtMs: number;
  readonly latencyMs: number;
}
