import type { Trace, Turn } from "../../contract/index.ts";

/** An answer that was given, as it is kept. */
export interface KeptCompletion {
  /** Of the reply: `chatcmpl-...`. */
  readonly id: string;
  readonly at: Date;
  /** Whom the client said it asked for; `null` where it said nothing. */
  readonly user: string | null;
  /** Name of the API key that asked. @default none, as of a server without keys */
  readonly apiKey?: string | null;
  /** The client's own id of the conversation. @default found by what the history quotes */
  readonly conversation?: string | null;
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

/** Who rates an answer. */
export interface Rater {
  /** Name of the API key; `null` on a server without keys. */
  readonly apiKey: string | null;
  /**
   * Whom the client rates for; `null` where it said nothing, and then for no answer that was given
   * to a user.
   */
  readonly user: string | null;
}

export interface RatedCompletion extends KeptCompletion, Rating {}
