import { z } from "zod";

/** A compound question, in the format that `questionSet({ set: "compound" })` reads. */
export const compoundRow = z.object({
  id: z.string(),
  dataset: z.literal("compound"),
  type: z.string(),
  entity: z.string(),
  question: z.string(),
  answers: z.array(z.string()),
  paragraphs: z.array(
    z.object({ title: z.string(), text: z.string(), is_supporting: z.boolean() }),
  ),
  decomposition: z.array(
    z.object({
      question: z.string(),
      resolved: z.string(),
      answer: z.string(),
      support_title: z.string(),
    }),
  ),
});
export type CompoundRow = z.infer<typeof compoundRow>;
