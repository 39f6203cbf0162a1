import type { z } from "zod";
import type { SetQuestion } from "../set-question.ts";

/** How a publisher writes rows. */
export interface Layout {
  /** For messages. */
  readonly name: string;
  /** Fields by which a row of this layout is recognized. */
  readonly marks: readonly string[];
  readonly schema: z.ZodType<readonly SetQuestion[]>;
}

/** A layout from the shape of a row and the questions that one row holds. */
export function layout<TSchema extends z.ZodType>({
  name,
  marks,
  schema,
  questions,
}: {
  readonly name: string;
  readonly marks: readonly string[];
  readonly schema: TSchema;
  readonly questions: (row: z.output<TSchema>) => readonly SetQuestion[];
}): Layout {
  return { name, marks, schema: schema.transform(questions) };
}
