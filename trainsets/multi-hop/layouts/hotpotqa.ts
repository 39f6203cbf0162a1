import { z } from "zod";
import type { SetParagraph, SetQuestion } from "../set-question.ts";
import { layout } from "./layout.ts";

const titled = z.tuple([z.string(), z.array(z.string())]);
/** Hugging Face's copies hold columns instead of pairs. */
const context = z.union([
  z.array(titled),
  z
    .object({ title: z.array(z.string()), sentences: z.array(z.array(z.string())) })
    .transform(({ title, sentences }) =>
      title.map((name, index): [string, string[]] => [name, sentences[index] ?? []]),
    ),
]);
const supportingFacts = z.union([
  z.array(z.tuple([z.string(), z.int()])).transform((facts) => facts.map(([title]) => title)),
  z.object({ title: z.array(z.string()) }).transform(({ title }) => title),
]);

const row = z.looseObject({
  _id: z.string().optional(),
  id: z.string().optional(),
  question: z.string(),
  // The sets for leaderboards lack these.
  answer: z.string().nullish(),
  answer_id: z.string().nullish(),
  type: z.string().nullish(),
  supporting_facts: supportingFacts.nullish(),
  context,
  /** Subject, relation and object of each step; 2WikiMultihopQA alone has them. */
  evidences: z.array(z.tuple([z.string(), z.string(), z.string()])).nullish(),
});

/**
 * HotpotQA (`hotpot_train_v1.1.json`, `hotpot_dev_distractor_v1.json`,
 * `hotpot_dev_fullwiki_v1.json`) and 2WikiMultihopQA (`train.json`, `dev.json`):
 * `context: [[title, [sentence]]]`, `supporting_facts: [[title, sentence]]`.
 */
export const hotpotqa = layout({
  name: "HotpotQA and 2WikiMultihopQA: `context` with titles and sentences",
  marks: ["question", "context"],
  schema: row.refine(({ _id, id }) => (_id ?? id ?? "") !== "", {
    message: "an id, a non-empty string",
    path: ["_id"],
  }),
  questions: (given): SetQuestion[] => {
    const { _id, id = "", question, answer, type, supporting_facts: facts, evidences } = given;
    const paragraphs = given.context.map(([title, sentences]): SetParagraph => ({
      title,
      text: sentences.map((sentence) => sentence.trim()).join(" "),
    }));
    const byTitle = new Map(paragraphs.map((paragraph) => [paragraph.title, paragraph]));
    return [
      {
        id: _id ?? id,
        question,
        answers: typeof answer === "string" && answer !== "" ? [answer] : [],
        ...(typeof given.answer_id === "string" && { answerId: given.answer_id }),
        type: type ?? "",
        paragraphs,
        support: [...new Set(facts ?? [])].map((title) => byTitle.get(title) ?? { title }),
        steps: (evidences ?? []).map(([subject, relation, object]) => ({
          question: `${subject} >> ${relation}`,
          answer: object,
          supportTitle: subject,
        })),
      },
    ];
  },
});
