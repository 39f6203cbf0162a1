import type { JsonObject, Passage } from "../../contract/index.ts";

/** One row of the table `passages`. */
export type PassageRecord = Readonly<Record<string, unknown>>;

/** The indexed passage. */
export function passageOf(record: PassageRecord): Passage {
  const { id, title, text, metadata } = record as {
    readonly id: string;
    readonly title: string | null;
    readonly text: string;
    readonly metadata: string | null;
  };
  return {
    id,
    ...(title === null ? {} : { title }),
    text,
    ...(metadata === null ? {} : { metadata: JSON.parse(metadata) as JsonObject }),
  };
}
