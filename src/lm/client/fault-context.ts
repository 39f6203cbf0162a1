import type { ReplyOrigin } from "./reply-origin.ts";

/** What an error needs to know about the exchange that failed. */
export interface FaultContext {
  readonly baseUrl: string;
  readonly origin: ReplyOrigin;
  readonly path: string;
  readonly stallTimeoutMs: number;
  readonly isStalled: boolean;
  /** Asks the server for its models, so that the error can list those it offers. */
  listModels(): Promise<unknown>;
}
