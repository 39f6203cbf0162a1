import type { AxAIService, AxChatRequest, AxChatResponse } from "@ax-llm/ax";

/** A minimal ax service around a function that answers. */
export function bareAxService(
  model: string,
  chat: (request: Readonly<AxChatRequest<unknown>>) => Promise<AxChatResponse>,
): AxAIService {
  const service = {
    getId: () => "bare",
    getName: () => "bare",
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
    chat,
  };
  return service as unknown as AxAIService;
}
