import { z } from "zod";
import type { SetQuestion } from "../set-question.ts";
import { layout } from "./layout.ts";

/**
 * MuSiQue (`musique_ans_v1.0_dev.jsonl`, `musique_full_v1.0_dev.jsonl`): `paragraphs` with
 * `paragraph_text`, `question_decomposition`, `answer_aliases`, `answerable`. A question that its
 * paragraphs do not answer has no answers here, since it has the id of its answerable twin.
 */
export const musique = layout({
  name: "MuSiQue: `paragraphs` with `paragraph_text`",
  marks: ["question", "paragraphs"],
  schema: z.looseObject({
    id: z.string(),
    question: z.string(),
    answer: z.string().nullish(),
    answer_aliases: z.array(z.string()).nullish(),
    answerable: z.boolean().default(true),
    paragraphs: z.array(
      z.looseObject({
        idx: z.int(),
        title: z.string(),
        paragraph_text: z.string(),
        is_supporting: z.boolean().optional(),
      }),
    ),
    question_decomposition: z
      .array(
        z.looseObject({
          question: z.string(),
          answer: z.string(),
          paragraph_support_idx: z.int().nullish(),
        }),
      )
      .nullish(),
  }),
  questions: (row): SetQuestion[] => {
    const { id, question, answer, answer_aliases: aliases, answerable } = row;
    const steps = row.question_decomposition ?? [];
    const titles = new Map(row.paragraphs.map(({ idx, title }) => [idx, title]));
    const asParagraph = ({ title, paragraph_text: text }: (typeof row.paragraphs)[number]) => ({
      title,
      text,
    });
    return [
      {
        id,
        question,
        answers:
          answerable && typeof answer === "string"
            ? [...new Set([answer, ...(aliases ?? [])])]
            : [],
        // The id begins with it: `2hop__`, `3hop1__`.
        type: id.includes("__") ? id.slice(0, id.indexOf("__")) : "",
        paragraphs: row.paragraphs.map(asParagraph),
        support: row.paragraphs.filter(({ is_supporting: is }) => is === true).map(asParagraph),
        steps: steps.map((step) => {
          const supportTitle = titles.get(step.paragraph_support_idx ?? -1);
          return {
            question: resolved(step.question, steps),
            answer: step.answer,
            ...(supportTitle === undefined ? {} : { supportTitle }),
          };
        }),
      },
    ];
  },
});

/** `#1` stands for the answer of the first step. */
function resolved(question: string, steps: readonly { readonly answer: string }[]): string {
  return question.replace(
    /#(\d)/g,
    (mark, step: string) => steps[Number(step) - 1]?.answer ?? mark,
  );
}
