import type {
  Component,
  JsonObject,
  LmIdentity,
  LmMessage,
  SplitName,
} from "../../contract/index.ts";
import type { EvaluationCounts, Interval } from "../../evaluate/index.ts";
import type { Parameter, Predictor, PredictorSettings } from "../../program/index.ts";
import type { Field } from "../../signature/index.ts";
import type { Mock } from "../../mock/index.ts";
import { mocksAmong } from "../../mock/index.ts";

/** The version of the file format, and the only one that readers accept. */
export const artifactFormat = 1;

/** A compiled program as plain JSON: everything needed to run it again, given its code. */
export interface Artifact {
  /** `espalier-artifact/1`; identifies the file type. */
  readonly format: string;
  /** SHA-256 of the canonical JSON of `compiled`, as hexadecimal. */
  readonly hash: string;
  readonly compiled: Compiled;
  /**
   * Its origin: costs, times, the server, whether the LM was the rehearsal LM. Not hashed, since it
   * differs from run to run.
   */
  readonly run: JsonObject;
}

/**
 * Identical after every run of the same study with the same seed, whatever happens during the run.
 */
export interface Compiled {
  readonly format: number;
  readonly program: {
    readonly name: string;
    readonly version: string;
    /** A package, or a path relative to the artifact's folder. */
    readonly module?: string;
  };
  /**
   * Every tunable component with its value, so that the artifact does not depend on the program's
   * own texts.
   */
  readonly components: readonly Component[];
  /** The declarations of the program's parameters. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly predictors: Readonly<Record<string, ArtifactPredictor>>;
  readonly promptLayout: number;
  /** The LM with which it was measured or optimized. */
  readonly lm: LmIdentity;
  readonly metric: { readonly name: string; readonly version: string } | null;
  readonly dataset: ArtifactDataset | null;
  readonly optimizer: ArtifactOptimizer | null;
  readonly scores: readonly ArtifactScore[];
  /** The candidate's ancestors, oldest first; empty for a program that no optimizer changed. */
  readonly lineage: readonly LineageEntry[];
  /** Recorded inputs by predictor, with the prompts that they must still render. */
  readonly samples: Readonly<Record<string, readonly ArtifactSample[]>>;
}

export interface ArtifactPredictor {
  readonly kind: Predictor["kind"];
  readonly driver: string;
  readonly settings: PredictorSettings;
  readonly signature: ArtifactSignature;
}

/** A signature as declared, without the texts that replace its own. */
export interface ArtifactSignature {
  readonly name: string;
  readonly hash: string;
  /** SHA-256 of the declared instruction; the compiled one is a component. */
  readonly instructionHash: string;
  /** The declared instruction; absent if it is the compiled one. */
  readonly instruction?: string;
  readonly fieldFormat: number;
  readonly fields: { readonly input: readonly Field[]; readonly output: readonly Field[] };
  readonly fieldHashes: Readonly<Record<string, string>>;
}

export interface ArtifactDataset {
  readonly name: string;
  readonly version?: string;
  /**
   * Recorded inputs and demonstrations are rows of the data set, so its licence applies to them.
   */
  readonly licence?: string;
  readonly checksum: string;
  /** Ids of the used examples, by split. */
  readonly splits: { readonly [Split in SplitName]?: readonly string[] };
}

/** Optimizer settings are stored beside name and seed. */
export interface ArtifactOptimizer extends JsonObject {
  readonly name: string;
  readonly seed: number;
}

/** One evaluation of the compiled program. */
export interface ArtifactScore {
  readonly split: SplitName;
  readonly metric: { readonly name: string; readonly version: string };
  /** `null` if nothing was scored. */
  readonly value: number | null;
  /** 95 % interval; `null` with fewer than two clusters. */
  readonly interval: Interval | null;
  readonly objective: "mean" | "aggregate";
  /** Means of further objectives. */
  readonly objectives: Readonly<Record<string, number>>;
  readonly counts: EvaluationCounts;
  /** In [0, 1]. */
  readonly coverage: number;
  readonly clusters: number;
  readonly seed: number;
  readonly repetitions: number;
}

/**
 * A candidate, with further data from the optimizer: `valSeen`, where `val` is an estimate, is the
 * number of val's examples that it rests on. An estimate may pass the range of the metric.
 */
export interface LineageEntry extends JsonObject {
  readonly id: string;
  /** Empty for the seed. */
  readonly parents: readonly string[];
}

/** One recorded call of a predictor. */
export interface ArtifactSample {
  readonly inputs: JsonObject;
  /** Of the inputs, by which demonstrations were chosen: little-endian 32-bit floats as base64. */
  readonly vector?: string;
  /** The messages exactly as sent. */
  readonly messages: readonly LmMessage[];
}

/**
 * Whether a text names a package or a path relative to the artifact. A URL would tie the artifact
 * to one machine, and a `data:` URL would let an artifact run arbitrary code.
 */
export function isModuleSpecifier(text: string): boolean {
  if (/^\.{1,2}\/[^:\\]*$/.test(text)) return true;
  // A package name must not lead outside the package.
  const isPackage = /^@?[A-Za-z0-9][^:\\%]*$/.test(text);
  return isPackage && !text.split("/").some((part) => part === "." || part === "..");
}

/** The mocks that an artifact was compiled with. One compiled in code may name only the LM. */
export function mocksOfArtifact({
  compiled,
  run,
}: Pick<Artifact, "compiled" | "run">): readonly Mock[] {
  const named = (run as { readonly mocks?: unknown } | null)?.mocks;
  return Array.isArray(named) ? (named as Mock[]) : mocksAmong({ lm: compiled.lm });
}

/** When an artifact's run ended, ISO 8601; `null` if the artifact does not say. */
export function artifactCreatedAt({ run }: Artifact): string | null {
  const time = run["finishedAt"];
  return typeof time === "string" && !Number.isNaN(Date.parse(time)) ? time : null;
}
