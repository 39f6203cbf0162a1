/**
 * The only file that imports ax. The build replaces it with a bundle of these exports and their
 * dependencies, since ax's own installation would write into the user's project.
 */
export type { AxAIArgs, AxAIService, AxChatRequest, AxChatResponse, AxIField } from "@ax-llm/ax";
export { ai, axGlobals, AxPromptTemplate, AxSignature } from "@ax-llm/ax";
