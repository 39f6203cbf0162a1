import type { Artifact } from "../../artifact/index.ts";
import type { LmIdentity, SplitName } from "../../contract/index.ts";
import type { Evaluation } from "../../evaluate/index.ts";
import type { LedgerSnapshot } from "../../ledger/index.ts";
import type { Mock } from "../../mock/index.ts";
import type { RunHistory } from "../reading/run-history.ts";

/** What `compareRuns` compares. */
export type SourceGiven = RunGiven | ResultGiven | ArtifactGiven;

export interface RunGiven {
  readonly kind: "run";
  /** The folder, as it is to be shown. */
  readonly path: string;
  /** What `readRunHistory` read there. */
  readonly history: RunHistory;
}

/** A file of `espalier eval --out`, as far as a comparison reads it. */
export interface ResultGiven {
  readonly kind: "result";
  readonly path: string;
  readonly result: {
    readonly study: string;
    readonly split: SplitName;
    readonly trainset?: { readonly name: string; readonly checksum: string };
    readonly lm: Pick<LmIdentity, "model">;
    readonly mocks: readonly Mock[];
    readonly isRehearsal: boolean;
    readonly ledger: LedgerSnapshot;
    readonly evaluation: Evaluation;
  };
}

export interface ArtifactGiven {
  readonly kind: "artifact";
  readonly path: string;
  readonly artifact: Artifact;
  /** Aliases of its registry that point to it. @default none */
  readonly aliases?: readonly string[];
}
