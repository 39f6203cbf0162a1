import type { LmTool } from "./lm-message.ts";

/**
 * Tools of whoever runs a program, for its agent that takes them (`clientTools`). If the model asks
 * for one, the run ends with a `ClientCallsError`; the caller makes the calls, and runs the program
 * again with their results.
 */
export interface ClientTools {
  /** Their names are unique, and none is that of a tool of the agent's own. */
  readonly tools: readonly LmTool[];
  /** Whether the model may ask for one in this run. @default true */
  readonly isAllowed?: boolean;
  /** Whether it may ask for several at once; of these the first is kept. @default true */
  readonly isParallel?: boolean;
  /**
   * What it asked for since the question, and what came of it, oldest first; counts against the
   * agent's limits. @default none
   */
  readonly steps?: readonly ClientStep[];
}

/** Calls that the model asked for at once, with their results. */
export interface ClientStep {
  /** What it wrote beside them. @default nothing */
  readonly text?: string;
  readonly calls: readonly (ClientCall & { readonly result: string })[];
}

/** A call of a client's tool that the model asks for. */
export interface ClientCall {
  readonly name: string;
  /** A JSON object, as the model wrote it. */
  readonly arguments: string;
}
