import type { Retriever } from "espalier";
import { bm25Index, readCorpus } from "espalier/retrieval";
import { questionSet } from "../../../trainsets/multi-hop/index.ts";
import { sharedData } from "../../support/shared-data.ts";

const sets = ["hotpotqa", "2wikimultihopqa", "musique"] as const;

export const multiHopFiles = sharedData("multihop");

/** Share of supporting paragraphs found, and of questions with all of them found. */
export interface FoundShares {
  readonly recall: number;
  readonly all: number;
}

/**
 * What SQLite FTS5 (porter unicode61 over title and text, the distinct words joined by OR, no stop
 * list) finds in its first ten results, measured on the same rows independently of this code. For
 * the gold sub-questions, which count together, only the mean was recorded.
 */
export const independent: Readonly<
  Record<string, { readonly recall: number; readonly all?: number }>
> = {
  hotpotqa: { recall: 0.913, all: 0.83 },
  "2wikimultihopqa": { recall: 0.771, all: 0.537 },
  musique: { recall: 0.582, all: 0.24 },
  "musique, gold sub-questions": { recall: 0.977 },
};

export interface RetrievalRow extends FoundShares {
  readonly name: string;
  readonly questions: number;
  readonly passages: number;
}

/** Recall at 10 of the dev rows over the union of their set's paragraphs. */
export async function hanragRetrieval(): Promise<readonly RetrievalRow[]> {
  const folder = multiHopFiles.file;
  const measured: RetrievalRow[] = [];
  for (const set of sets) {
    const searched = await readCorpus(`${folder}/${set}_corpus.jsonl.gz`);
    const { splits } = (await questionSet({ set, folder, corpus: searched })).trainset;
    await using retriever = await bm25Index({ corpus: searched });
    const asked = splits.test.map(({ input, labels }) => ({
      relevant: Object.keys(labels.relevant),
      queries: [input.question],
    }));
    const size = { questions: asked.length, passages: searched.passages.length };
    measured.push({ name: set, ...size, ...(await foundBy(retriever, asked)) });
    if (set !== "musique") continue;
    const solved = splits.test.map(({ labels }) => ({
      relevant: Object.keys(labels.relevant),
      queries: labels.decomposition.map(({ question }) => question),
    }));
    const name = "musique, gold sub-questions";
    measured.push({ name, ...size, ...(await foundBy(retriever, solved)) });
  }
  return measured;
}

/** Everything that the queries of a question find in their first ten results, combined. */
async function foundBy(
  retriever: Retriever,
  questions: readonly {
    readonly relevant: readonly string[];
    readonly queries: readonly string[];
  }[],
): Promise<FoundShares> {
  let recall = 0;
  let all = 0;
  for (const { relevant, queries } of questions) {
    const runs = await Promise.all(
      queries.map((query) => retriever.doRetrieve({ query, k: 10 }, {})),
    );
    const found = new Set(runs.flat().map(({ id }) => id));
    const share = relevant.filter((id) => found.has(id)).length / relevant.length;
    recall += share;
    all += share === 1 ? 1 : 0;
  }
  return { recall: recall / questions.length, all: all / questions.length };
}
