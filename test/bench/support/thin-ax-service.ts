import type { AxAIService, AxChatRequest, AxChatResponse } from "@ax-llm/ax";

/** The least that AxGen runs on: one fetch, nothing else. The strongest form of the comparison. */
export function thinAxService(url: string, model: string): AxAIService {
  const service = {
    getId: () => "thin",
    getName: () => "thin",
    getFeatures: () => ({ functions: false, streaming: false, structuredOutputs: true }),
    getModelList: () => undefined,
    getMetrics: () => ({}),
    getLogger: () => () => undefined,
    getOptions: () => ({}),
    setOptions: () => undefined,
    getLastUsedChatModel: () => model,
    getLastUsedEmbedModel: () => undefined,
    getLastUsedModelConfig: () => undefined,
    getEstimatedCost: () => 0,
    chat: async ({ chatPrompt }: Readonly<AxChatRequest<unknown>>): Promise<AxChatResponse> => {
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
    },
  };
  return service as unknown as AxAIService;
}
