import { createHash } from "node:crypto";
import { z } from "zod";
import type { SetQuestion } from "../set-question.ts";
import { layout } from "./layout.ts";

/** These rows have no id of their own. */
const idOf = (question: string) => createHash("sha256").update(question).digest("hex").slice(0, 16);
const alone = { paragraphs: [], support: [], steps: [] };

/** NQ-open (`NQ-open.dev.jsonl`): `question`, and the answers in `answer`; no passages. */
export const nqOpen = layout({
  name: "NQ-open: `question` and a list `answer`",
  marks: ["question", "answer"],
  schema: z.looseObject({
    id: z.string().optional(),
    question: z.string(),
    answer: z.array(z.string()),
  }),
  questions: ({ id, question, answer }): SetQuestion[] => [
    { id: id ?? idOf(question), question, answers: answer, type: "open", ...alone },
  ],
});

/** Questions with `golden_answers`, as toolkits re-publish the sets. */
export const goldenAnswers = layout({
  name: "`question` and `golden_answers`",
  marks: ["question", "golden_answers"],
  schema: z.looseObject({
    id: z.union([z.string(), z.int().transform(String)]).optional(),
    question: z.string(),
    golden_answers: z.array(z.string()),
  }),
  questions: ({ id, question, golden_answers: answers }): SetQuestion[] => [
    { id: id ?? idOf(question), question, answers, type: "open", ...alone },
  ],
});

/** Questions of several sets in one file, without passages; rows without an answer have null. */
export const namedQuestions = layout({
  name: "`dataset`, `question` and `answers`",
  marks: ["dataset", "question", "answers"],
  schema: z.looseObject({
    dataset: z.string(),
    question: z.string(),
    answers: z.array(z.string()).nullable(),
  }),
  questions: ({ dataset, question, answers }): SetQuestion[] => [
    {
      ...alone,
      id: `${dataset}-${idOf(question)}`,
      dataset,
      question,
      answers: answers ?? [],
      type: "open",
    },
  ],
});

const scored = z.looseObject({ title: z.string(), text: z.string() });

/**
 * Dense Passage Retrieval's files (`biencoder-nq-dev.json`, `biencoder-trivia-dev.json`,
 * `biencoder-squad1-dev.json`), which Adaptive-RAG samples from: each question with passages of 100
 * words. The first of `positive_ctxs` is the one that the set's own annotation led to.
 */
export const dpr = layout({
  name: "DPR: `answers`, `positive_ctxs`, `hard_negative_ctxs`",
  marks: ["question", "answers", "positive_ctxs"],
  schema: z.looseObject({
    question: z.string(),
    answers: z.array(z.string()),
    positive_ctxs: z.array(scored),
    negative_ctxs: z.array(scored).optional(),
    hard_negative_ctxs: z.array(scored).optional(),
  }),
  questions: ({ question, answers, ...found }): SetQuestion[] => {
    const positive = found.positive_ctxs.map(plain);
    return [
      {
        ...alone,
        id: idOf(question),
        question,
        answers,
        type: "open",
        paragraphs: [
          ...positive,
          ...(found.hard_negative_ctxs ?? []).map(plain),
          ...(found.negative_ctxs ?? []).map(plain),
        ],
        support: positive.slice(0, 1),
      },
    ];
  },
});

function plain({ title, text }: z.infer<typeof scored>) {
  return { title, text };
}
