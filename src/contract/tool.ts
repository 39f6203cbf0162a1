import type { Json, JsonObject, JsonSchema } from "./json.ts";
import type { LmTool } from "./lm-message.ts";
import type { LmReply, LmRequest } from "./language-model.ts";

/** An action that an agent can take. Implement `doCall`; users call `tool()`. */
export interface Tool {
  /** `[A-Za-z0-9_-]{1,64}`. */
  readonly name: string;
  /** What it does and when to use it, as the model reads it. */
  readonly description: string;
  /** Change it whenever the tool would answer otherwise: recorded results hold for one version. */
  readonly version: string;
  /** Of an object: the arguments. */
  readonly parameters: JsonSchema;
  /**
   * Whether a call has an effect beyond its result, such as a message sent. A search never makes
   * such a call unless it is allowed to.
   */
  readonly hasSideEffects: boolean;
  /** After this the call counts as failed, and its signal fires. */
  readonly timeoutMs: number;
  /**
   * The model sees what it throws, unless it is an `EspalierError` of the kind `infrastructure`: a
   * server's fault fails the run.
   */
  doCall(input: JsonObject, options: { readonly signal: AbortSignal }): Promise<Json>;
  /** Answers for `doCall` where side effects are not allowed; without it, the call is refused. */
  doMock?(input: JsonObject, options: { readonly signal: AbortSignal }): Promise<Json>;
}

/** The result of a call, or what went wrong, worded for the model. */
export type ToolOutcome =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly error: string };

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

/** Where the request of a call with side effects says which call it is. */
export const oncePlace = "once";

/** Whether a call must not be repeated if its outcome is unknown. */
export function isOnce({ extraBody }: LmRequest): boolean {
  return extraBody !== undefined && oncePlace in extraBody;
}

/** The reply that holds an outcome. */
export function toolReply(outcome: ToolOutcome, model: string, latencyMs: number): LmReply {
  return {
    content: JSON.stringify(outcome),
    reasoning: null,
    finishReason: "stop",
    usage: {
      promptTokens: 0,
      completionTokens: 0,
      cachedPromptTokens: null,
      reasoningTokens: null,
    },
    model,
    latencyMs,
    source: "server",
  };
}
