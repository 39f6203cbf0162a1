import type { JsonObject, LmMessage } from "../../../../src/contract/index.ts";
import { textOfContent } from "../../../../src/contract/index.ts";

/** A call that an earlier step of this conversation made, and its result. */
export interface PastCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly result: string;
}

/** The calls after the last message of the user, in order. */
export function pastCalls(messages: readonly LmMessage[]): readonly PastCall[] {
  const results = new Map(
    messages.flatMap(({ toolCallId, content }) =>
      toolCallId === undefined ? [] : [[toolCallId, textOfContent(content)] as const],
    ),
  );
  return messages.flatMap(({ toolCalls = [] }) =>
    toolCalls.flatMap(({ id, name, arguments: given }) => {
      const result = results.get(id);
      return result === undefined ? [] : [{ tool: name, input: inputOf(given), result }];
    }),
  );
}

function inputOf(given: string): JsonObject {
  try {
    const value: unknown = JSON.parse(given);
    return typeof value === "object" && value !== null ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}
