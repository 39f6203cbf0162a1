import type { LmDelta } from "../../../src/index.ts";
import { LmError } from "../../../src/errors/index.ts";
import { growingText, isObject } from "../../../src/internal/index.ts";
import type { AiSdkResult, AiSdkUsage } from "./ai-sdk-model.ts";
import { isToolCall } from "./read-result.ts";

/**
 * Reads a stream to its end, and hands on its pieces. Throws the provider's own error where the
 * stream holds one.
 *
 * @throws LmError `lm-unreachable` for a stream that ends before its last part
 */
export async function readStream(
  stream: ReadableStream,
  onDelta: (delta: LmDelta) => void,
): Promise<AiSdkResult> {
  const texts = { text: growingText(), reasoning: growingText() };
  const calls: AiSdkResult["content"][number][] = [];
  let modelId: string | undefined;
  let warnings: readonly object[] = [];
  for await (const part of stream as unknown as AsyncIterable<unknown>) {
    if (!isObject(part)) continue;
    const { type, delta } = part;
    if (type === "text-delta" && typeof delta === "string") {
      texts.text.add(delta);
      onDelta({ content: delta });
    } else if (type === "reasoning-delta" && typeof delta === "string") {
      texts.reasoning.add(delta);
      onDelta({ reasoning: delta });
    } else if (isToolCall(part)) {
      // Whole, after the pieces of its input.
      calls.push(part);
    } else if (type === "stream-start" && Array.isArray(part["warnings"])) {
      warnings = part["warnings"] as readonly object[];
    } else if (type === "response-metadata" && typeof part["modelId"] === "string") {
      modelId = part["modelId"];
    } else if (type === "error") {
      throw part["error"];
    } else if (type === "finish") {
      return {
        content: [
          ...Object.entries(texts).flatMap(([kind, pieces]) =>
            pieces.length === 0 ? [] : [{ type: kind, text: pieces.text() }],
          ),
          ...calls,
        ],
        finishReason: part["finishReason"] as AiSdkResult["finishReason"],
        usage: part["usage"] as AiSdkUsage,
        response: { modelId },
        warnings,
      };
    }
  }
  throw new LmError({
    code: "lm-unreachable",
    problem: "The provider's stream ended before the reply was complete",
  });
}
