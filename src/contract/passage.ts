import type { JsonObject } from "./json.ts";

/** A unit of retrievable text. `id` is unique within its collection. */
export interface Passage {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
  readonly metadata?: JsonObject;
}

/** A passage as a retriever or reranker returned it; a higher score is better. */
export interface RankedPassage extends Passage {
  readonly score: number;
}
