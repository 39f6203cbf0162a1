import { z } from "zod";
import type { SetQuestion } from "../set-question.ts";
import { layout } from "./layout.ts";

/**
 * One row for all sets, with a flag on each paragraph; the compound benchmark's builder writes it.
 */
export const ownRows = layout({
  name: "paragraphs with `is_supporting`",
  marks: ["answers", "paragraphs"],
  schema: z.looseObject({
    id: z.string(),
    type: z.string().nullish(),
    /** The subject of a compound question; questions about one entity form one cluster. */
    entity: z.string().optional(),
    question: z.string(),
    answers: z.array(z.string()).min(1),
    paragraphs: z.array(
      z.object({ title: z.string(), text: z.string(), is_supporting: z.boolean() }),
    ),
    decomposition: z
      .array(
        z.looseObject({
          question: z.string(),
          /** With `#1` and the like filled in. */
          resolved: z.string().nullish(),
          answer: z.string(),
          support_title: z.string().nullish(),
        }),
      )
      .nullish(),
  }),
  questions: ({
    id,
    type,
    entity,
    question,
    answers,
    paragraphs,
    decomposition,
  }): SetQuestion[] => [
    {
      id,
      question,
      answers,
      type: type ?? "",
      ...(entity === undefined ? {} : { cluster: entity }),
      paragraphs,
      support: paragraphs.filter((paragraph) => paragraph.is_supporting),
      steps: (decomposition ?? []).map((step) => ({
        question: step.resolved ?? step.question,
        answer: step.answer,
        ...(typeof step.support_title === "string" && { supportTitle: step.support_title }),
      })),
    },
  ],
});
