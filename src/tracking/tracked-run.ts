import type { Json } from "../contract/index.ts";

/** A run as a tracking server shows it. */
export interface TrackedRun {
  /** Unique, and the same each time the run is sent: what the server has under it is completed. */
  readonly key: string;
  readonly name: string;
  readonly startedAtMs: number;
  /** `null` while the run goes on. */
  readonly endedAtMs: number | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly metrics: readonly TrackedMetric[];
  readonly dataset?: {
    readonly name: string;
    /** Hexadecimal. */
    readonly checksum: string;
  };
  readonly candidates: readonly TrackedCandidate[];
  readonly prompts: readonly TrackedPrompt[];
  readonly artifacts: readonly TrackedArtifact[];
}

export interface TrackedMetric {
  readonly name: string;
  readonly value: number;
  /** Metric calls spent before. */
  readonly step: number;
}

/** One version of the program and what it scored, example by example. */
export interface TrackedCandidate {
  /** Unique within the run. */
  readonly id: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly metrics: readonly TrackedMetric[];
  readonly examples: readonly TrackedExample[];
}

export interface TrackedExample {
  readonly id: string;
  /** What examples are paired by: equal for the same example of any candidate. */
  readonly inputs: Json;
  /** Absent if not asked for. */
  readonly outputs?: Json;
  readonly startedAtMs: number;
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
  readonly attributes: Readonly<Record<string, Json>>;
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
