import type { Passage, Retriever, Study, Trainset } from "espalier";
import type { Corpus } from "espalier/retrieval";
import { bm25Index, corpus } from "espalier/retrieval";
import { trainset } from "espalier/trainset";
import type { Parts } from "espalier/servers";
import type { QuestionRoute } from "../../signatures/index.ts";
import type { HanragLabels } from "../../programs/hanrag/index.ts";
import { fourShelvesPassages, fourShelvesQuestions } from "../../trainsets/four-shelves/index.ts";
import type { QuestionSet } from "../../trainsets/multi-hop/index.ts";
import { questionSets } from "../../trainsets/multi-hop/index.ts";
import { derivedQuestions, questionsOf, withoutPassages } from "./multi-hop-data.ts";

/** Single questions, and the keyword index to search for their answers. */
export interface QuestionData {
  readonly trainset: Trainset<
    { readonly question: string; readonly route?: QuestionRoute | undefined },
    HanragLabels
  >;
  readonly retriever: Retriever;
  /** Text of a passage, for feedback; `undefined` if it is not available. */
  readonly passageOf: (id: string) => Passage | undefined;
  /** What the paper reports of the set: for compound questions, the share of parts. */
  readonly value: "token_f1" | "accuracy";
  readonly routing: "router" | "oracle";
}

/** The shipped questions over four shelves. */
export async function shelfQuestions(): Promise<QuestionData> {
  return over(corpus(await fourShelvesPassages()), await fourShelvesQuestions());
}

/** The same variants, and the shelves, with the right route given with each question. */
export function withRoutes(
  parts: Parts,
  studied: (data: QuestionData) => Study,
): Readonly<Record<string, () => Promise<Study>>> {
  const told = ({ trainset: { splits, ...set }, ...data }: QuestionData): QuestionData => {
    const routed = (rows: typeof splits.train) =>
      rows.map((row) => ({ ...row, input: { ...row.input, route: row.labels.route } }));
    return {
      ...data,
      routing: "oracle",
      trainset: trainset({
        ...set,
        splits: {
          train: routed(splits.train),
          val: routed(splits.val),
          test: routed(splits.test),
        },
      }),
    };
  };
  const plain = onQuestionSets(parts, (data) => studied(told(data)));
  return {
    "four-shelves-oracle": async () => studied(told(await shelfQuestions())),
    ...Object.fromEntries(Object.entries(plain).map(([name, make]) => [`${name}-oracle`, make])),
  };
}

/**
 * Variants of a study on the sets of HANRAG's paper, by their names. A set without passages is
 * searched by the search engine of the servers file.
 */
export function onQuestionSets(
  parts: Parts,
  studied: (data: QuestionData) => Study,
): Readonly<Record<string, () => Promise<Study>>> {
  const on = (name: string, load: () => Promise<QuestionSet>) => async () => {
    const { trainset: questions, corpus: searched } = await load();
    const value = name.startsWith("compound") ? "accuracy" : "token_f1";
    if (searched !== undefined) return studied({ ...(await over(searched, questions)), value });
    const retriever = parts.search();
    if (retriever === undefined) throw withoutPassages(name);
    const passageOf = () => undefined;
    return studied({ trainset: questions, retriever, passageOf, value, routing: "router" });
  };
  const names = Object.keys(questionSets) as (keyof typeof questionSets)[];
  return {
    ...Object.fromEntries(names.map((name) => [name, on(name, async () => questionsOf(name))])),
    ...Object.fromEntries(
      (["single-hop", "compound-triples"] as const).map((name) => [
        name,
        on(name, async () => derivedQuestions(name)),
      ]),
    ),
  };
}

async function over(searched: Corpus, questions: QuestionData["trainset"]): Promise<QuestionData> {
  const byId = new Map(searched.passages.map((passage) => [passage.id, passage]));
  // One file for each state of the texts, because an index never changes once it is built.
  const path = `.espalier/${questions.name}-${searched.checksum.slice(0, 12)}.sqlite`;
  return {
    trainset: questions,
    retriever: await bm25Index({ path, corpus: searched }),
    passageOf: (id) => byId.get(id),
    value: "token_f1",
    routing: "router",
  };
}
