import type { Turn } from "../../contract/index.ts";

/** A person's question to a chat model. */
export interface ChatQuestion {
  /** The last message of the user. */
  readonly question: string;
  /** The conversation before it, oldest turn first. */
  readonly history: readonly Turn[];
  /** For programs that take the current time as input. */
  readonly askedAt: Date;
}
