/**
 * Programs behind HTTP: what a serving file declares, and one way to run a chat model that every
 * protocol is a thin face over. Knows programs and artifacts, and no program in particular; the terminal,
 * the environment and the address of the LM are given to it.
 */
export type { ChatAnswer, Citation } from "./chat-answer.ts";
export { citationsOf } from "./chat-answer.ts";
export type { ChatModel, ChatQuestion } from "./chat-model.ts";
export { chatModel, withArtifact } from "./chat-model.ts";
export type { ChatServer, ChatServerOptions } from "./chat-server.ts";
export { chatServer } from "./chat-server.ts";
export type { ChatOutcome } from "./chat-outcome.ts";
export type { ChatEvent, ChatRunOptions } from "./chat-run.ts";
export { runChat } from "./chat-run.ts";
export type { Erased, ErasedSubject } from "./feedback/erase.ts";
export type { FeedbackExample, FeedbackTrace } from "./feedback/feedback-examples.ts";
export { feedbackExample } from "./feedback/feedback-examples.ts";
export type { KeptCompletion, RatedCompletion, Rater, Rating } from "./feedback/kept-completion.ts";
export type { FeedbackOptions, FeedbackStore } from "./feedback/open-feedback.ts";
export { openFeedback } from "./feedback/open-feedback.ts";
export type { Preference } from "./feedback/preference.ts";
export type { FeedbackWriter, WriterStatus } from "./feedback/feedback-writer.ts";
export type { Proportion } from "./feedback/wilson-interval.ts";
export { wilsonInterval } from "./feedback/wilson-interval.ts";
export { ApiError } from "./http/api-error.ts";
export { apiKeyFile } from "./http/api-key-file.ts";
export type { ApiKeyEvents, ApiKeys } from "./http/api-keys.ts";
export { apiKeys, apiKeysInClear, newApiKey } from "./http/api-keys.ts";
export type { Ask, Asked, AskRequest } from "./http/asker.ts";
export type { KeyLimits } from "./http/key-limits.ts";
export { isLoopback } from "./http/known-hosts.ts";
export type { Face, ServeContext } from "./http/serve-context.ts";
export type { KeyUsage } from "./key-usage.ts";
export type { AnswerQuestionsOptions, BatchOutcome } from "./mmu-rag/answer-questions.ts";
export { answerQuestions } from "./mmu-rag/answer-questions.ts";
export type { BatchRecord } from "./mmu-rag/batch-record.ts";
export { checkBatchRecord } from "./mmu-rag/batch-record.ts";
export { mmuRagFace } from "./mmu-rag/mmu-rag-face.ts";
export type { BatchQuestion } from "./mmu-rag/read-questions.ts";
export { readQuestions } from "./mmu-rag/read-questions.ts";
export type { ResultFile } from "./mmu-rag/result-file.ts";
export { openResultFile } from "./mmu-rag/result-file.ts";
export type { ResultLine } from "./mmu-rag/result-line.ts";
export type { ListedModel, ModelTable } from "./model-table.ts";
export { modelTable } from "./model-table.ts";
export type { KeptKeyUsage } from "./open-key-usage.ts";
export { openKeyUsage } from "./open-key-usage.ts";
export { pageFace } from "./page/page-face.ts";
export type { Findings, RolloutRules } from "./rollout/evidence.ts";
export type { LiveAnswer, LiveMetric } from "./rollout/live-score.ts";
export type { ServeState } from "./rollout/open-serve-state.ts";
export { openServeState } from "./rollout/open-serve-state.ts";
export { rolloutJson } from "./rollout/rollout-face.ts";
export type { RolloutReport } from "./rollout/rollout-report.ts";
export { rolloutReports } from "./rollout/rollout-report.ts";
export type { RolloutSettings } from "./rollout/rollouts.ts";
export type { Serving } from "./serving.ts";
export { isServing, serving } from "./serving.ts";
export type { ChatUsage } from "./trace-usage.ts";
