import type { Trace, Turn } from "../../contract/index.ts";

/** An answer that was given, as stored. */
export interface KeptCompletion {
  /** Id of the reply: `chatcmpl-...`. */
  readonly id: string;
  readonly at: Date;
  /** The user that the client named; `null` if it named none. */
  readonly user: string | null;
  /** Name of the API key that asked. @default none, as for a server without keys */
  readonly apiKey?: string | null;
  /** The client's own id of the conversation. @default derived from what the history repeats */
  readonly conversation?: string | null;
  readonly model: string;
  /** Version of the model's program. */
  readonly version: string;
  readonly question: string;
  /** The conversation before the question, oldest turn first. */
  readonly history: readonly Turn[];
  readonly answer: string;
  readonly trace: Trace;
}

/** A person's rating of an answer. */
export interface Rating {
  readonly rating: "up" | "down";
  readonly comment: string | null;
  /** The answer that the person expected. */
  readonly correction: string | null;
}

/** Who rates an answer. */
export interface Rater {
  /** Name of the API key; `null` on a server without keys. */
  readonly apiKey: string | null;
  /**
   * The user that the client rates for; `null` if it named none, which never matches an answer that
   * was given to a user.
   */
  readonly user: string | null;
}

export interface RatedCompletion extends KeptCompletion, Rating {}
