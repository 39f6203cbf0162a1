import { readFileSync } from "node:fs";
import type { RelevanceGrades } from "espalier/trainset";
import { readQrels } from "espalier/trainset";
import { bm25Index, englishStopWords, readCorpus } from "espalier/retrieval";
import { recordedRewrites } from "../../../trainsets/recorded/index.ts";
import { sharedData } from "../../support/shared-data.ts";

export const collections = ["clapnq", "fiqa", "govt", "cloud"] as const;
export type Collection = (typeof collections)[number];

/**
 * The wordings of a turn: the user's, a person's for the benchmark, and those of models, none of
 * which saw a passage or the answer. `expanded` starts from the person's wording.
 */
const recorded = {
  mixtral: "mixtral-8x7b/full_history",
  mixtralTargeted: "mixtral-8x7b/targeted",
  sonnet4: "claude-sonnet-4/full_history",
  sonnet4Targeted: "claude-sonnet-4/targeted",
  dhRag: "dh_rag",
  aggressive: "claude-sonnet-4.5/aggressive",
  informative: "claude-sonnet-4.5/informative",
  expanded: "claude-sonnet-4.5/rewrite_then_edit",
} as const;
export const wordings = [
  "lastturn",
  "human",
  ...(Object.keys(recorded) as (keyof typeof recorded)[]),
] as const;
export type Wording = (typeof wordings)[number];

/** If this file exists, so does everything else that the replay reads. */
export const rewrites = sharedData("recorded-llm/mtrag_query_rewrites.jsonl.gz");

export type Ranking = readonly { readonly id: string; readonly score: number }[];

/** A judged turn, and what each of its wordings finds. */
export interface ReplayedTurn {
  readonly id: string;
  readonly conversation: string;
  readonly collection: Collection;
  readonly relevant: RelevanceGrades;
  readonly rankings: Readonly<Record<Wording, Ranking>>;
}

/** Searches the BM25 index of its collection with every wording of every judged turn. */
export async function replayedTurns(
  folder: string,
  depth = 100,
  of: readonly Collection[] = collections,
): Promise<readonly ReplayedTurn[]> {
  const rewritten = new Map(
    (await recordedRewrites(rewrites.file)).map(({ taskId, strategy, rewrite }) => [
      `${strategy} ${taskId}`,
      rewrite,
    ]),
  );
  const turns: ReplayedTurn[] = [];
  for (const collection of of) {
    const corpus = await readCorpus(sharedData(`mtrag/corpora-pooled/${collection}.jsonl.gz`).file);
    await using index = await bm25Index({
      path: `${folder}/${collection}.sqlite`,
      corpus,
      countsRepeats: true,
      stopWords: englishStopWords,
    });
    const qrels = await readQrels(sharedData(`mtrag/qrels/${collection}.tsv`).file);
    const typed = queriesOf(collection, "lastturn");
    const human = queriesOf(collection, "rewrite");
    for (const [id, relevant] of qrels) {
      const texts = {
        lastturn: typed.get(id),
        human: human.get(id),
        ...Object.fromEntries(
          Object.entries(recorded).map(([name, strategy]) => [
            name,
            rewritten.get(`${strategy} ${id}`),
          ]),
        ),
      } as Record<Wording, string | undefined>;
      const found = new Map<string, Promise<Ranking>>();
      const search = (wording: Wording): Promise<Ranking> => {
        const query = texts[wording];
        if (query === undefined) throw new Error(`Turn ${id} has no wording by ${wording}.`);
        const known = found.get(query) ?? index.doRetrieve({ query, k: depth }, {});
        found.set(query, known);
        return known;
      };
      const rankings = await Promise.all(
        wordings.map(async (wording) => {
          const ranking = await search(wording);
          return [wording, ranking.map(({ id: passage, score }) => ({ id: passage, score }))];
        }),
      );
      turns.push({
        id,
        conversation: id.split("<::>")[0] ?? id,
        collection,
        relevant,
        rankings: Object.fromEntries(rankings) as Record<Wording, Ranking>,
      });
    }
  }
  return turns;
}

function queriesOf(
  collection: Collection,
  kind: "lastturn" | "rewrite",
): ReadonlyMap<string, string> {
  const { file } = sharedData(`mtrag/queries/${collection}_${kind}.jsonl`);
  const rows = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as { readonly _id: string; readonly text: string });
  return new Map(rows.map(({ _id, text }) => [_id, text.replace(/^\|user\|:/, "").trim()]));
}
