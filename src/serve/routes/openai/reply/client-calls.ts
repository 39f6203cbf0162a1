import type { ClientCall, JsonObject } from "../../../../contract/index.ts";

/** A call as the client gets it. */
export interface SentCall extends ClientCall {
  readonly id: string;
}

/** Calls with ids that no other reply has. */
export function sentCalls(calls: readonly ClientCall[], replyId: string): readonly SentCall[] {
  const digits = replyId.slice(replyId.indexOf("-") + 1);
  return calls.map((call, index) => ({ id: `call_${digits}_${index}`, ...call }));
}

/** A call in the form of chat completions. */
export function toolCallOf({ id, name, arguments: given }: SentCall): JsonObject {
  return { id, type: "function", function: { name, arguments: given } };
}
