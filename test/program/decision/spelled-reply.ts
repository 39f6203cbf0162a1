import type { Answer } from "../../support/vllm-server.ts";
import { chat } from "../../support/vllm-server.ts";

/** A written token; or its alternatives with their probabilities, the written one first. */
export type SpelledToken = string | Readonly<Record<string, number>>;

/** A chat reply of these tokens with their log-probabilities, as vLLM sends it. */
export function spelledReply(
  tokens: readonly SpelledToken[],
  { reasoning = null }: { readonly reasoning?: string | null } = {},
): Answer {
  const spelled = tokens.map((token) => {
    const alternatives = Object.entries(typeof token === "string" ? { [token]: 1 } : token);
    const top_logprobs = alternatives.map(([text, probability]) => ({
      token: text,
      logprob: Math.log(probability),
      bytes: [...Buffer.from(text)],
    }));
    return { ...top_logprobs[0], token: alternatives[0]?.[0] ?? "", top_logprobs };
  });
  const text = spelled.map(({ token }) => token).join("");
  const content = text
    .slice(reasoning === null ? 0 : text.indexOf("</think>") + "</think>".length)
    .replace("<|im_end|>", "")
    .replaceAll("Ġ", " ");
  return chat({
    envelope: {
      choices: [
        {
          index: 0,
          finish_reason: "stop",
          message: { role: "assistant", content, reasoning },
          logprobs: { content: spelled },
        },
      ],
    },
  });
}

/** A chat reply of a server that ignores the request for log-probabilities. */
export function silentReply(content: string): Answer {
  const message = { role: "assistant", content };
  return chat({
    envelope: { choices: [{ index: 0, finish_reason: "stop", message, logprobs: null }] },
  });
}
