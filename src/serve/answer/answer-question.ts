import type { ClientCall, ClientTools, ImageUrl, Turn } from "../../contract/index.ts";
import { ApiError } from "../api-error/api-error.ts";
import type { ChatOutcome } from "../model/chat-exchange.ts";
import type { ChatEvent } from "../model/chat-run.ts";
import type { ServedModel } from "../model/served-model.ts";

/** A question, as a protocol hands it to the server. */
export interface Question {
  readonly model: ServedModel;
  readonly question: string;
  /** The conversation before it, oldest turn first. */
  readonly history: readonly Turn[];
  /** @default none */
  readonly images?: readonly ImageUrl[];
  /** What the client brings to the program's agent that takes tools. @default none */
  readonly clientTools?: ClientTools;
  /** Request id. */
  readonly id: string;
  readonly seed?: number;
  /** The user, as the client names it. */
  readonly user?: string;
  /** Name of the API key, never the key itself; absent on a server without keys. */
  readonly apiKey?: string;
  /** The client's own id of the conversation. */
  readonly conversation?: string;
  /** Fires when the client disconnects. */
  readonly signal: AbortSignal;
  readonly onEvent?: (event: ChatEvent) => void;
}

/**
 * How an admitted question ended: with an answer, with calls that the client has to make, or with
 * the error that it gets.
 */
export type AnswerOutcome =
  | { readonly state: "answered"; readonly outcome: ChatOutcome }
  /**
   * The program's agent asks for tools of the client, which makes the calls and asks again; never
   * where the question came without `clientTools`.
   */
  | {
      readonly state: "calls";
      readonly calls: readonly ClientCall[];
      readonly outcome: ChatOutcome;
    }
  | { readonly state: "refused"; readonly error: ApiError; readonly outcome: ChatOutcome | null }
  /** The client disconnected first. */
  | { readonly state: "left"; readonly outcome: ChatOutcome | null };

/** The immediate result for a question, while its response can still have any status. */
export type AnswerStart =
  /** The promise never rejects. */
  | { readonly state: "admitted"; readonly outcome: Promise<AnswerOutcome> }
  /**
   * 400: a text is too long; 429: a limit is reached, or the queue is full; 503: the server is
   * stopping.
   */
  | { readonly state: "refused"; readonly error: ApiError };

/** Answers a question within the server's limits. Never throws: a refusal is a value. */
export type AnswerQuestion = (question: Question) => AnswerStart;

/** Runs `start`; an `ApiError` that it throws becomes a refusal. */
export function admittedBy(start: () => AnswerStart): AnswerStart {
  try {
    return start();
  } catch (error) {
    if (error instanceof ApiError) return { state: "refused", error };
    throw error;
  }
}

/** Passes the outcome of an admitted question through `change`; leaves a refusal unchanged. */
export function onceEnded(
  start: AnswerStart,
  change: (ended: AnswerOutcome) => AnswerOutcome,
): AnswerStart {
  return start.state === "refused" ? start : { ...start, outcome: start.outcome.then(change) };
}
