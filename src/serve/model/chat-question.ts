import type { ImageUrl, Turn } from "../../contract/index.ts";

/** A person's question to a chat model. */
export interface ChatQuestion {
  /** The last message of the user. */
  readonly question: string;
  /** The conversation before it, oldest turn first. */
  readonly history: readonly Turn[];
  /**
   * The images of the user's last message that has any, in order; none for a program without a
   * field for them.
   */
  readonly images: readonly ImageUrl[];
  /** For programs that take the current time as input. */
  readonly askedAt: Date;
}
