/**
 * Finds out by trial what a server can do and keeps the results on disk. Each trial asks for
 * something that the model would not do by itself and looks for it in the reply: vLLM answers 200
 * to fields that it ignores, so success alone proves nothing. Knows nothing about programs.
 */
export type { CapabilityName } from "./capability-names.ts";
export { agentCalls } from "./tool-trials.ts";
export { capabilityNames } from "./capability-names.ts";
export { examineServer } from "./examine-server.ts";
export type { ExamineOptions } from "./examine-server.ts";
export { keepExamination, keptExamination, keptExaminations } from "./kept-examinations.ts";
export type { RecommendedOption } from "./recommended-options.ts";
export { recommendedOptions } from "./recommended-options.ts";
export type { Finding, ServerExamination } from "./server-examination.ts";
