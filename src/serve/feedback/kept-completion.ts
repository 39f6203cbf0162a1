import type { Trace, Turn } from "../../contract/index.ts";

/** An answer that was given, as it is kept. */
export interface KeptCompletion {
  /** Of the reply: `chatcmpl-...`. */
  readonly id: string;
  readonly at: Date;
  /** Whom the client said it asked for; `null` where it said nothing. */
  readonly user: string | null;
  readonly model: string;
  /** Of the model's program. */
  readonly version: string;
  readonly question: string;
  /** The conversation before the question, oldest turn first. */
  readonly history: readonly Turn[];
  readonly answer: string;
  readonly trace: Trace;
}

/** What somebody thought of an answer. */
export interface Rating {
  readonly rating: "up" | "down";
  readonly comment: string | null;
  /** What the answer should have been. */
  readonly correction: string | null;
}

export interface RatedCompletion extends KeptCompletion, Rating {}
