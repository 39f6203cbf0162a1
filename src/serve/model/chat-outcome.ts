import type { ClientCall, Trace } from "../../contract/index.ts";
import type { Failure } from "../../errors/index.ts";
import type { Citation } from "./chat-answer.ts";
import type { ChatUsage } from "./chat-usage.ts";

/** How a model's run on one question ended. */
export interface ChatOutcome {
  /** Empty after a failure. */
  readonly answer: string;
  readonly citations: readonly Citation[];
  readonly contexts: readonly string[];
  /** What the program returned, field by field; absent after a failure. */
  readonly output?: unknown;
  readonly usage: ChatUsage;
  /** The version of the model that answered. */
  readonly version: string;
  /** `null` if the run did not begin, or did not end. */
  readonly trace: Trace | null;
  readonly failure?: Failure;
  /** Set instead of an answer if the program's agent asks for tools of the client. */
  readonly clientCalls?: readonly ClientCall[];
}
