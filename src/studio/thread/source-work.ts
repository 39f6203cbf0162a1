import type { SplitName } from "../../contract/index.ts";
import type { ListedResult, RunFigures } from "../../report-page/index.ts";
import type { ReplayedRollout } from "../../report/index.ts";
import type { ServerFigures } from "./server-figures.ts";
import type { EspalierErrorOptions } from "../../errors/index.ts";

/** What a studio asks for of files: all that takes longer than a page may wait for another. */
export interface SourceWork {
  /** Loads the named studies. Throws what their files do. */
  loadStudies(given: null): Promise<null>;
  compare(given: CompareGiven): Promise<ComparedSources>;
  /** Throws for what cannot be read. */
  figures(given: ReadGiven): Promise<SourceFigures>;
  /** What a server keeps in a file. Throws for what cannot be read. */
  server(given: ReadGiven): Promise<ServerFigures>;
  /** Throws where it cannot be had, as of a run whose study was not named. */
  rollout(given: RolloutGiven): Promise<OneRollout>;
}

/** A file or folder, and what changes when its content does. */
export interface ReadGiven {
  readonly path: string;
  readonly stamp: string;
}

export interface CompareGiven {
  /** Sources, each with the path that is shown. */
  readonly items: readonly (ReadGiven & { readonly id: string })[];
  readonly resamples: number;
}

export interface ComparedSources {
  /** The `RunComparison` as JSON in UTF-8: only a page reads it. */
  readonly json: Uint8Array<ArrayBuffer>;
  /** Of each source its key in the comparison, and whether single runs of it can be shown. */
  readonly sources: readonly { readonly key: string; readonly hasRollouts: boolean }[];
}

/** What a list shows of a source. */
export type SourceFigures =
  | { readonly kind: "run"; readonly figures: RunFigures }
  | { readonly kind: "result"; readonly figures: NonNullable<ListedResult["figures"]> };

export interface RolloutGiven extends ReadGiven {
  readonly candidate: number;
  readonly split: SplitName;
  readonly exampleId: string;
}

/** A run of one candidate on one example, without the places that it has in a comparison. */
export type OneRollout = Omit<ReplayedRollout, "source" | "candidate" | "example">;

/** What a studio sends to its thread. */
export interface ThreadRequest {
  /** The answer has the same. */
  readonly number: number;
  readonly name: keyof SourceWork;
  readonly given: unknown;
}

/** What comes back: a value, or why there is none. */
export interface ThreadAnswer {
  readonly number: number;
  readonly value?: unknown;
  readonly problem?: string;
  /** Of an error of ours. */
  readonly own?: EspalierErrorOptions;
}
