import type { AxAIService, AxChatResponse } from "@ax-llm/ax";
import { bareAxService } from "./bare-ax-service.ts";

/** The thinnest service for AxGen, a single fetch: the most favorable comparison for AxGen. */
export function thinAxService(url: string, model: string): AxAIService {
  return bareAxService(model, async ({ chatPrompt }): Promise<AxChatResponse> => {
    const response = await fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model,
        messages: chatPrompt,
        temperature: 0,
        max_completion_tokens: 512,
      }),
    });
    const body = (await response.json()) as {
      choices: { message: { content: string } }[];
      usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
    };
    const { prompt_tokens, completion_tokens, total_tokens } = body.usage;
    return {
      results: [
        { index: 0, content: body.choices[0]?.message.content ?? "", finishReason: "stop" },
      ],
      modelUsage: {
        ai: "thin",
        model,
        tokens: {
          promptTokens: prompt_tokens,
          completionTokens: completion_tokens,
          totalTokens: total_tokens,
        },
      },
    };
  });
}
