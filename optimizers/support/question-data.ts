import type { Passage, Retriever, Study, Trainset } from "espalier";
import type { Corpus } from "espalier/retrieval";
import { bm25Index, corpus } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import type { HanragLabels } from "../../programs/hanrag/index.ts";
import { fourShelvesPassages, fourShelvesQuestions } from "../../trainsets/four-shelves/index.ts";
import type { QuestionSet } from "../../trainsets/multi-hop/index.ts";
import { questionSets } from "../../trainsets/multi-hop/index.ts";
import { derivedQuestions, questionsOf, withoutPassages } from "./multi-hop-data.ts";

/** Single questions, and the keyword index to search for their answers. */
export interface QuestionData {
  readonly trainset: Trainset<{ readonly question: string }, HanragLabels>;
  readonly retriever: Retriever;
  /** Text of a passage, for feedback; `undefined` if it is not available. */
  readonly passageOf: (id: string) => Passage | undefined;
}

/** The shipped questions over four shelves. */
export async function shelfQuestions(): Promise<QuestionData> {
  return over(corpus(await fourShelvesPassages()), await fourShelvesQuestions());
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
    const { trainset, corpus: searched } = await load();
    if (searched !== undefined) return studied(await over(searched, trainset));
    const retriever = parts.search();
    if (retriever === undefined) throw withoutPassages(name);
    return studied({ trainset, retriever, passageOf: () => undefined });
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

async function over(searched: Corpus, trainset: QuestionData["trainset"]): Promise<QuestionData> {
  const byId = new Map(searched.passages.map((passage) => [passage.id, passage]));
  // One file for each state of the texts, because an index never changes once it is built.
  const path = `.espalier/${trainset.name}-${searched.checksum.slice(0, 12)}.sqlite`;
  return {
    trainset,
    retriever: await bm25Index({ path, corpus: searched }),
    passageOf: (id) => byId.get(id),
  };
}
