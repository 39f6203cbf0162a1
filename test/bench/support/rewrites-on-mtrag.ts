import type { Example, Retriever } from "espalier";
import type { RecordedInput } from "../../../optimizers/support/recorded-turns.ts";
import { recordedTurns } from "../../../optimizers/support/recorded-turns.ts";
import type { Wording } from "../../../optimizers/support/recorded-wordings.ts";
import { wordings } from "../../../optimizers/support/recorded-wordings.ts";
import type { ConversationalLabels } from "../../../trainsets/conversational.ts";
import { sharedData } from "../../support/shared-data.ts";

export const collections = ["clapnq", "fiqa", "govt", "cloud"] as const;
export type Collection = (typeof collections)[number];

/** If this file exists, so does everything else that the replay reads. */
export const rewrites = sharedData("recorded-llm/mtrag_query_rewrites.jsonl.gz");

export type Ranking = readonly { readonly id: string; readonly score: number }[];

/** A judged turn, and what each of its wordings finds. */
export interface ReplayedTurn {
  readonly example: Example<RecordedInput, ConversationalLabels>;
  /** Of the benchmark's split for tests, on which nothing is chosen. */
  readonly isUnseen: boolean;
  readonly rankings: Readonly<Record<Wording, Ranking>>;
}

export interface Replay {
  readonly turns: readonly ReplayedTurn[];
  readonly sparse: Readonly<Record<string, Retriever>>;
}

/**
 * Searches the index of its collection with every wording of every judged turn, or of those wanted.
 */
export async function replay({
  depth = 100,
  isWanted = () => true,
}: {
  readonly depth?: number;
  readonly isWanted?: (id: string) => boolean;
} = {}): Promise<Replay> {
  process.env["ESPALIER_MTRAG_DIR"] ??= sharedData("mtrag").file;
  process.env["ESPALIER_RECORDED_DIR"] ??= sharedData("recorded-llm").file;
  const { trainset, sparse } = await recordedTurns();
  const { train, val, test } = trainset.splits;
  const turns: ReplayedTurn[] = [];
  for (const example of [...train, ...val, ...test].filter(({ id }) => isWanted(id))) {
    const { corpus, wordings: texts } = example.input;
    const index = sparse[corpus];
    if (index === undefined) throw new Error(`Collection ${corpus} has no index.`);
    const entries = await Promise.all(
      wordings.map(async (wording) => [
        wording,
        await index.doRetrieve({ query: texts[wording], k: depth }, {}),
      ]),
    );
    const rankings = Object.fromEntries(entries) as ReplayedTurn["rankings"];
    turns.push({ example, isUnseen: test.includes(example), rankings });
  }
  return { turns, sparse };
}
