/**
 * The only file that imports ax. The build puts in its place what is named here, with all that it needs,
 * since the package's own installation would write into the project it is installed in.
 */
export type {
  AxAIArgs,
  AxAIFeatures,
  AxAIService,
  AxAIServiceMetrics,
  AxChatRequest,
  AxChatResponse,
  AxIField,
} from "@ax-llm/ax";
export { ai, AxGen, axGlobals, AxPromptTemplate, AxSignature } from "@ax-llm/ax";
