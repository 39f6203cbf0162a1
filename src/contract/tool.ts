import type { Json, JsonObject, JsonSchema } from "./json.ts";

/** Something that an agent can have done. Implement `doCall`; users call `tool()`. */
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
  readonly changesTheWorld: boolean;
  /** After this the call counts as failed, and its signal fires. */
  readonly timeoutMs: number;
  /** What it throws is told to the model. */
  doCall(input: JsonObject, options: { readonly signal: AbortSignal }): Promise<Json>;
  /** Answers in place of `doCall` where the world must not change; absent: nothing does. */
  doStandIn?(input: JsonObject, options: { readonly signal: AbortSignal }): Promise<Json>;
}

/** The result of a call, or what went wrong, in words for the model. */
export type ToolOutcome =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly error: string };
