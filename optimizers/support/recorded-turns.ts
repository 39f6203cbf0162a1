import type { Example, Retriever, Trainset } from "espalier";
import { EspalierError } from "espalier";
import { bm25Index, englishStopWords } from "espalier/retrieval";
import { trainset } from "espalier/trainset";
import type { CorpusName } from "../../programs/ails-ntua/index.ts";
import type { ConversationalInput, ConversationalLabels } from "../../trainsets/conversational.ts";
import { recordedRewrites } from "../../trainsets/recorded/index.ts";
import { withCorpus } from "./ails-data.ts";
import { indexFile } from "./indexes-over.ts";
import type { MtragData } from "./mtrag-data.ts";
import { mtragData } from "./mtrag-data.ts";
import { recordedFile } from "./recorded-file.ts";
import type { Wording } from "./recorded-wordings.ts";
import { recordedWordings } from "./recorded-wordings.ts";

/** Judged turns of MTRAG with every recorded wording, and keyword indexes to search with them. */
export interface RecordedTurns {
  readonly trainset: Trainset<RecordedInput, ConversationalLabels>;
  readonly sparse: Readonly<Record<string, Retriever>>;
}

export interface RecordedInput extends ConversationalInput {
  readonly corpus: CorpusName;
  readonly wordings: Readonly<Record<Wording, string>>;
}

/** What the rows of one table read is read once, and kept for the process. */
const held = new Map<string, Promise<RecordedTurns>>();

/**
 * The turns of MTRAG that are judged for retrieval, from the folder in ESPALIER_MTRAG_DIR, with the
 * rewrites of real models from the folder in ESPALIER_RECORDED_DIR. Each turn is searched in its
 * own collection, the fullest that there is. What is found comes without its text, which nobody
 * reads.
 *
 * @throws EspalierError `file-missing` if a variable or a file is missing; `dataset-invalid` if a
 *   turn has no rewrite, or one of another model
 */
export async function recordedTurns(): Promise<RecordedTurns> {
  const path = recordedFile("mtrag_query_rewrites.jsonl");
  const key = JSON.stringify([path, process.env["ESPALIER_MTRAG_DIR"], process.cwd()]);
  const turns = held.get(key) ?? readTurns(path);
  held.set(key, turns);
  turns.catch(() => held.delete(key));
  return turns;
}

async function readTurns(path: string): Promise<RecordedTurns> {
  const data = await mtragData({ train: Infinity, val: Infinity, passages: "fullest" });
  const { splits, ...set } = withCorpus(data.trainset);
  const rewritesOf = await rewritesIn(path);
  const worded = (rows: (typeof splits)["train"]) =>
    rows
      .filter(({ labels: { relevant } }) => Object.values(relevant).some((grade) => grade > 0))
      .map((row) => ({ ...row, input: { ...row.input, wordings: wordingsOf(row, rewritesOf) } }));
  return {
    trainset: trainset({
      ...set,
      name: "mtrag-recorded-rewrites",
      splits: { train: worded(splits.train), val: worded(splits.val), test: worded(splits.test) },
    }),
    sparse: await rankingIndexes(data),
  };
}

type Rewrites = (turn: string) => Readonly<Record<keyof typeof recordedWordings, string>>;

function wordingsOf(
  { id, input, labels }: Example<Pick<ConversationalInput, "question">, ConversationalLabels>,
  rewritesOf: Rewrites,
): RecordedInput["wordings"] {
  const lastturn = input.question;
  return { lastturn, human: labels.standalone ?? lastturn, ...rewritesOf(id) };
}

async function rewritesIn(path: string): Promise<Rewrites> {
  const written = new Map(
    (await recordedRewrites(path)).map((row) => [`${row.strategy} ${row.taskId}`, row]),
  );
  return (turn) => {
    const entries = Object.entries(recordedWordings).map(([name, { strategy, model }]) => {
      const row = written.get(`${strategy} ${turn}`);
      if (row?.model === model) return [name, row.rewrite];
      throw new EspalierError({
        code: "dataset-invalid",
        problem: "The recorded rewrites do not fit the turns of MTRAG",
        where: path,
        expected: `a rewrite of turn \`${turn}\` by strategy \`${strategy}\`, model \`${model}\``,
        got: row === undefined ? "none" : `one of model \`${row.model}\``,
        fix: "Name the release of MTRAG in ESPALIER_MTRAG_DIR that the rewrites were recorded for.",
      });
    });
    return Object.fromEntries(entries) as ReturnType<Rewrites>;
  };
}

/** As long rewrites need it: repeated words count repeatedly, and stop words not at all. */
async function rankingIndexes({ collections }: MtragData): Promise<RecordedTurns["sparse"]> {
  const entries = [];
  for (const [name, searched] of Object.entries(collections)) {
    const index = await bm25Index({
      ...indexFile(`mtrag-${name}`, searched),
      countsRepeats: true,
      stopWords: englishStopWords,
    });
    entries.push([name, remembered(index)] as const);
  }
  return Object.fromEntries(entries);
}

/** Several rows search for the same, and a search for parameters does so again and again. */
function remembered(index: Retriever): Retriever {
  const rankings = new Map<string, Awaited<ReturnType<Retriever["doRetrieve"]>>>();
  const { name, version } = index;
  return {
    name,
    version,
    doRetrieve: async (request, options) => {
      const key = JSON.stringify([request.k, request.query]);
      const known = rankings.get(key);
      if (known !== undefined) return known;
      const found = await index.doRetrieve(request, options);
      const ranking = found.map(({ id, score }) => ({ id, score, text: "" }));
      rankings.set(key, ranking);
      return ranking;
    },
  };
}
