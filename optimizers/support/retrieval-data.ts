import type { Trainset, Turn } from "espalier";
import type { Corpus } from "espalier/retrieval";
import type { RecallLabels } from "../../programs/notes-guided/index.ts";

/** Questions, and the passages to search for their answers. */
export interface RetrievalData<TLabels = RecallLabels> {
  readonly trainset: Trainset<
    {
      readonly question: string;
      readonly history: readonly Turn[];
      readonly collection?: string | undefined;
    },
    TLabels
  >;
  /** All passages. */
  readonly corpus: Corpus;
  /** The collections that are searched each by itself; absent: all together. */
  readonly collections?: Readonly<Record<string, Corpus>>;
}
