import type { Trainset, Turn } from "espalier";
import type { Corpus } from "espalier/retrieval";
import type { RecallLabels } from "../../programs/notes-guided/index.ts";

/** Questions, and the passages to search for their answers. */
export interface RetrievalData {
  readonly trainset: Trainset<
    { readonly question: string; readonly history: readonly Turn[] },
    RecallLabels
  >;
  readonly corpus: Corpus;
}
