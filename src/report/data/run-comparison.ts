import type { Json, JsonObject, SplitName } from "../../contract/index.ts";
import type { ComparedSource } from "./compared-source.ts";
import type { Contrast, Headline, SourceGroup } from "./contrast.ts";
import type { ReplayedRollout } from "./replayed-rollout.ts";

/** Several runs, results and artifacts side by side. Plain JSON, frozen. */
export interface RunComparison {
  readonly format: "espalier-comparison/1";
  /** `null` where nothing has a value yet, nothing changed, or nothing can be compared. */
  readonly headline: Headline | null;
  /** Which sources have no difference and why, in sentences. @default none */
  readonly incomparable?: readonly string[];
  /** In the order given. */
  readonly sources: readonly ComparedSource[];
  /** Every example that a source mentions; all else refers to them by place. */
  readonly examples: readonly ComparedExample[];
  /** Labels by which differences are broken down; empty without a study. */
  readonly strata: readonly Stratification[];
  /** Runs that differ only in their seeds, in the order of their first sources. */
  readonly groups: readonly SourceGroup[];
  readonly contrasts: readonly Contrast[];
  /**
   * Replayed runs, those that were asked for; others can be replayed from the run's folder. Look
   * one up by source, candidate and example.
   */
  readonly rollouts: readonly ReplayedRollout[];
  /**
   * Small pictures as `data:` URLs, by their placeholders in examples, sources and rollouts:
   * `(image/png, 2.1 KiB, sha256 0123456789ab)`. Larger ones are named alone.
   * @default none
   */
  readonly images?: Readonly<Record<string, string>>;
  /** What else a reader must know, in sentences, such as mocks. */
  readonly notes: readonly string[];
}

/** An example; input and labels are there only if the study was given. */
export interface ComparedExample {
  readonly id: string;
  /** Absent if no source tells. */
  readonly split?: SplitName;
  /** @default the example's own id */
  readonly cluster?: string;
  readonly input?: JsonObject;
  readonly labels?: Json;
}

/** The groups into which a label divides the examples. */
export interface Stratification {
  readonly label: string;
  /** Values of the label, in order of name, numbers by size. */
  readonly groups: readonly string[];
  /**
   * For each of the comparison's examples the places of its groups: one, several if the label holds
   * a list, or none.
   */
  readonly of: readonly (number | readonly number[] | null)[];
}
