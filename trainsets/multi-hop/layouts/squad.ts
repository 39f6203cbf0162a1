import { z } from "zod";
import type { SetQuestion } from "../set-question.ts";
import { layout } from "./layout.ts";

const answer = z.looseObject({ text: z.string() });

/**
 * SQuAD 1.1 and 2.0 (`dev-v1.1.json`, `train-v2.0.json`), one article of `data` a row, its
 * questions one cluster. A question that its paragraph does not answer (`is_impossible`) has no
 * answers.
 */
export const squad = layout({
  name: "SQuAD: articles with `paragraphs` of `context` and `qas`",
  marks: ["title", "paragraphs"],
  schema: z.looseObject({
    title: z.string(),
    paragraphs: z.array(
      z.looseObject({
        context: z.string(),
        qas: z.array(
          z.looseObject({
            id: z.string(),
            question: z.string(),
            answers: z.array(answer).nullish(),
            is_impossible: z.boolean().optional(),
          }),
        ),
      }),
    ),
  }),
  questions: ({ title, paragraphs }): SetQuestion[] =>
    paragraphs.flatMap(({ context, qas }) => {
      const paragraph = { title: title.replaceAll("_", " "), text: context };
      return qas.map(({ id, question, answers, is_impossible: isImpossible = false }) => ({
        id,
        question: question.trim(),
        answers: isImpossible ? [] : [...new Set((answers ?? []).map(({ text }) => text))],
        type: "span",
        cluster: title,
        paragraphs: [paragraph],
        support: [paragraph],
        steps: [],
      }));
    }),
});

/** Hugging Face's copies: one question a row. */
export const squadRows = layout({
  name: "SQuAD, one question per row: `context` and `answers.text`",
  marks: ["question", "context", "answers"],
  schema: z.looseObject({
    id: z.string(),
    title: z.string(),
    context: z.string(),
    question: z.string(),
    answers: z.looseObject({ text: z.array(z.string()) }),
  }),
  questions: ({ id, title, context, question, answers }): SetQuestion[] => {
    const paragraph = { title: title.replaceAll("_", " "), text: context };
    return [
      {
        id,
        question: question.trim(),
        answers: [...new Set(answers.text)],
        type: "span",
        cluster: title,
        paragraphs: [paragraph],
        support: [paragraph],
        steps: [],
      },
    ];
  },
});
