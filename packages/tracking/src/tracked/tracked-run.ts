import type { Json } from "../../../../src/contract/index.ts";

/** A run as a tracking server shows it. */
export interface TrackedRun extends TrackedHead {
  /** `null` while the run goes on. */
  readonly endedAtMs: number | null;
  readonly metrics: readonly TrackedMetric[];
  readonly candidates: readonly TrackedCandidate[];
  readonly prompts: readonly TrackedPrompt[];
  readonly artifacts: readonly TrackedArtifact[];
}

/** What is known of a run when it starts. */
export interface TrackedHead {
  /** Unique, and the same each time the run is sent: what the server has under it is completed. */
  readonly key: string;
  readonly name: string;
  readonly startedAtMs: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly dataset?: {
    readonly name: string;
    /** Hexadecimal. */
    readonly checksum: string;
  };
}

export interface TrackedMetric {
  readonly name: string;
  readonly value: number;
  /** Metric calls spent before. */
  readonly step: number;
  /** Of several at one step, the last one counts. @default 0 */
  readonly order?: number;
}

/** One version of the program and what it scored, example by example. */
export interface TrackedCandidate {
  /** Unique within the run. */
  readonly id: string;
  /** The same each time it is sent, and of no other candidate of the run. */
  readonly key: string;
  /** Of all below: a server that has this one lacks nothing. */
  readonly digest: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly metrics: readonly TrackedMetric[];
  /** May be read from a file as they are asked for. */
  readonly examples: Iterable<TrackedExample>;
}

export interface TrackedExample {
  readonly id: string;
  /** What examples are paired by: equal for the same example of any candidate. */
  readonly inputs: Json;
  /** Absent if not asked for. */
  readonly outputs?: Json;
  /** `null` if it is not known: with the run. */
  readonly startedAtMs: number | null;
  readonly latencyMs: number;
  readonly failed: boolean;
  /** The steps of the program; empty if its trace was not kept. */
  readonly spans: readonly TrackedSpan[];
  /** By metric or objective. */
  readonly scores: Readonly<Record<string, number>>;
  /** Why the example was scored so; absent if not asked for. */
  readonly feedback?: string;
}

/** One step of a trace. */
export interface TrackedSpan {
  /** Unique within the trace. */
  readonly path: string;
  /** `null`: directly under the whole. */
  readonly parent: string | null;
  readonly name: string;
  readonly kind: "scope" | "predictor" | "retrieval" | "tool" | "llm";
  /** Milliseconds since the start of the trace. */
  readonly startMs: number;
  readonly latencyMs: number;
  readonly failed: boolean;
  /** Hold no text of the data. */
  readonly attributes: Readonly<Record<string, Json>>;
  /** Messages, of an LM's call. Absent if not asked for, as `outputs` is. */
  readonly inputs?: Json;
  readonly outputs?: Json;
}

/** A text of the program that is kept under a name, version by version. */
export interface TrackedPrompt {
  /** Of letters, digits, `_`, `.` and `-`. */
  readonly name: string;
  readonly text: string;
  /** Moved to this version. */
  readonly alias: string;
}

export interface TrackedArtifact {
  /** File name within the run's artifacts. */
  readonly path: string;
  readonly type: string;
  readonly content: string;
}
