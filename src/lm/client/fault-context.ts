import type { ReplyOrigin } from "./reply-origin.ts";

/** What an error needs to know of the exchange that failed. */
export interface FaultContext {
  readonly baseUrl: string;
  readonly origin: ReplyOrigin;
  readonly path: string;
  readonly stallTimeoutMs: number;
  readonly isStalled: boolean;
  /** Asks the server for its models, to say what is there instead. */
  listModels(): Promise<unknown>;
}
