import type { Question } from "../../../answer/answer-question.ts";
import type { OpenaiChat } from "../request/openai-chat.ts";

/** A question of one of OpenAI's routes, as its replies need it. */
export interface AskedQuestion {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly chat: OpenaiChat;
  readonly question: Omit<Question, "signal">;
  readonly request: Request;
  /** Writes the program's output where the client wants JSON. */
  readonly written: ((output: unknown) => string) | undefined;
}
