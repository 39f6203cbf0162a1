import type { LmDelta } from "../contract/index.ts";
import { LmError } from "../errors/index.ts";
import { growingText } from "../internal/index.ts";
import type { AxChatResponse } from "./ax.ts";

type AxResult = AxChatResponse["results"][number];

/**
 * Reads a stream of ax to its end, hands on its pieces, and puts them together as one response.
 *
 * @throws LmError `lm-unreachable` for a stream that ends before its finish reason
 */
export async function readHostedStream(
  stream: ReadableStream<AxChatResponse>,
  onDelta: (delta: LmDelta) => void,
): Promise<AxChatResponse> {
  const [content, thought] = [growingText(), growingText()];
  let finishReason: AxResult["finishReason"];
  let modelUsage: AxChatResponse["modelUsage"];
  const calls = new Map<string, NonNullable<AxResult["functionCalls"]>[number]>();
  for await (const piece of stream as unknown as AsyncIterable<AxChatResponse>) {
    modelUsage = piece.modelUsage ?? modelUsage;
    const [result] = piece.results;
    if (result === undefined) continue;
    finishReason = result.finishReason ?? finishReason;
    for (const call of result.functionCalls ?? []) {
      const before = calls.get(call.id)?.function;
      const { name, params } = call.function;
      const joined =
        typeof params === "string" && typeof before?.params === "string"
          ? before.params + params
          : (params ?? before?.params);
      calls.set(call.id, {
        ...call,
        function: { name: before?.name || name, ...(joined !== undefined && { params: joined }) },
      });
    }
    const { content: text = "", thought: thinking = "" } = result;
    content.add(text);
    thought.add(thinking);
    if (text !== "" || thinking !== "") {
      onDelta({
        ...(text !== "" && { content: text }),
        ...(thinking !== "" && { reasoning: thinking }),
      });
    }
  }
  if (finishReason === undefined) {
    throw new LmError({
      code: "lm-unreachable",
      problem: "The provider's stream ended before the reply was complete",
    });
  }
  return {
    results: [
      {
        index: 0,
        finishReason,
        ...(content.length > 0 && { content: content.text() }),
        ...(thought.length > 0 && { thought: thought.text() }),
        ...(calls.size > 0 && { functionCalls: [...calls.values()] }),
      },
    ],
    ...(modelUsage && { modelUsage }),
  };
}
