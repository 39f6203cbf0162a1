/**
 * Finds out by trying what a server can do, and keeps the outcome on disk. A trial asks for what
 * the model would not do by itself and looks for it in the reply: vLLM answers 200 to fields that
 * it ignores, so that success alone says nothing. Knows nothing of programs.
 */
export type { CapabilityName } from "./capability-names.ts";
export { capabilityNames } from "./capability-names.ts";
export { examineServer } from "./examine-server.ts";
export type { ExamineOptions } from "./examine-server.ts";
export { keepExamination, keptExamination, keptExaminations } from "./kept-examinations.ts";
export type { Finding, ServerExamination } from "./server-examination.ts";
