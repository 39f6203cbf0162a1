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

/** The version of the file. A reader knows its own and older ones, and refuses newer ones. */
export const artifactFormat = 1;

/** A compiled program as plain JSON: all that is needed to run it again, given its code. */
export interface Artifact {
  /** `espalier-artifact/1`; tells the file from others. */
  readonly format: string;
  /** SHA-256 of the canonical JSON of `compiled`, as hexadecimal. */
  readonly hash: string;
  readonly compiled: Compiled;
  /**
   * How it came about: costs, times, the server, whether the LM was the rehearsal LM. Not hashed, since
   * it differs from run to run.
   */
  readonly run: JsonObject;
}

/** The same after every run of the same study with the same seed, whatever happens in between. */
export interface Compiled {
  readonly format: number;
  readonly program: {
    readonly name: string;
    readonly version: string;
    /** A package, or a path relative to the artifact's folder. */
    readonly module?: string;
  };
  /** Every tunable component with its value, so that nothing depends on the program's own texts. */
  readonly components: readonly Component[];
  /** What the program's parameters could have been. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly predictors: Readonly<Record<string, ArtifactPredictor>>;
  readonly promptLayout: number;
  /** The LM it was measured or optimized with. */
  readonly lm: LmIdentity;
  readonly metric: { readonly name: string; readonly version: string } | null;
  readonly dataset: ArtifactDataset | null;
  readonly optimizer: ArtifactOptimizer | null;
  readonly scores: readonly ArtifactScore[];
  /** The candidates it descends from, oldest first; empty for a program that no optimizer changed. */
  readonly lineage: readonly LineageEntry[];
  /** Recorded inputs by predictor, with the prompts that they must still give. */
  readonly samples: Readonly<Record<string, readonly ArtifactSample[]>>;
}

export interface ArtifactPredictor {
  readonly kind: Predictor["kind"];
  readonly driver: string;
  readonly settings: PredictorSettings;
  readonly signature: ArtifactSignature;
}

/** A signature as it was declared, apart from the texts that replace its own. */
export interface ArtifactSignature {
  readonly name: string;
  readonly hash: string;
  /** SHA-256 of the declared instruction; the compiled one is a component. */
  readonly instructionHash: string;
  readonly fieldFormat: number;
  readonly fields: { readonly input: readonly Field[]; readonly output: readonly Field[] };
  readonly fieldHashes: Readonly<Record<string, string>>;
}

export interface ArtifactDataset {
  readonly name: string;
  readonly version: string;
  /** Recorded inputs and demonstrations are rows of the data set, and pass on under it. */
  readonly licence: string;
  readonly checksum: string;
  /** Ids of the examples that were used, by split. */
  readonly splits: { readonly [Split in SplitName]?: readonly string[] };
}

/** Further settings stand beside name and seed. */
export interface ArtifactOptimizer extends JsonObject {
  readonly name: string;
  readonly seed: number;
}

/** One evaluation of the compiled program. */
export interface ArtifactScore {
  readonly split: SplitName;
  readonly metric: { readonly name: string; readonly version: string };
  /** `null` when nothing was scored. */
  readonly value: number | null;
  /** 95 %; `null` with fewer than two clusters. */
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

/** A candidate; what else an optimizer knows of it stands beside. */
export interface LineageEntry extends JsonObject {
  readonly id: string;
  /** Empty for the seed. */
  readonly parents: readonly string[];
}

/** One recorded call of a predictor. */
export interface ArtifactSample {
  readonly inputs: JsonObject;
  /** Exactly as sent. */
  readonly messages: readonly LmMessage[];
}
