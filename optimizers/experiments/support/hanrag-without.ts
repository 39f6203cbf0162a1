import type { Study } from "espalier";
import { study } from "espalier";
import type { Corpus } from "espalier/retrieval";
import { bm25Index, corpus, readCorpus } from "espalier/retrieval";
import type { AblatedPart, HanragLabels } from "../../../programs/hanrag/index.ts";
import { answerWithFeedback, hanrag } from "../../../programs/hanrag/index.ts";
import type { Trainset } from "espalier";
import {
  fourShelvesPassages,
  fourShelvesQuestions,
} from "../../../trainsets/four-shelves/index.ts";
import { decomposedQuestions, paragraphKey } from "../../../trainsets/multi-hop/index.ts";
import { dataFolder } from "../../support/data-folder.ts";

/** HANRAG without some of its parts, on questions over four shelves; on MuSiQue as a variant. */
export async function hanragWithout(...without: readonly AblatedPart[]): Promise<Study> {
  return study({
    ...(await ablated(without, await shelves())),
    variants: { musique: async () => study(await ablated(without, await musique())) },
  });
}

interface Questions {
  readonly trainset: Trainset<{ readonly question: string }, HanragLabels>;
  readonly searched: Corpus;
}

async function ablated(without: readonly AblatedPart[], { trainset, searched }: Questions) {
  const byId = new Map(searched.passages.map((passage) => [passage.id, passage]));
  // The same file as the study's own, one for each state of the texts.
  const path = `.espalier/${trainset.name}-${searched.checksum.slice(0, 12)}.sqlite`;
  const retriever = await bm25Index({ path, corpus: searched });
  return {
    name: ["hanrag", ...without.map((part) => `without-${part}`)].join("-"),
    program: hanrag({ retriever, without }),
    trainset,
    objective: answerWithFeedback({ passageOf: (id) => byId.get(id) }),
  };
}

async function shelves(): Promise<Questions> {
  return {
    trainset: await fourShelvesQuestions(),
    searched: corpus(await fourShelvesPassages()),
  };
}

async function musique(): Promise<Questions> {
  const folder = dataFolder("ESPALIER_MULTIHOP_DIR", "musique_{train,dev}.jsonl and its corpus");
  const searched = await readCorpus(`${folder}/musique_corpus.jsonl.gz`);
  const ids = new Map(searched.passages.map((passage) => [paragraphKey(passage), passage.id]));
  return { trainset: await decomposedQuestions({ set: "musique", folder, ids }), searched };
}
