/**
 * Programs behind HTTP: the declarations of a serving file, and one way to run a chat model that
 * every protocol wraps thinly. This folder knows programs and artifacts, but not a particular
 * program; callers pass in the terminal, the environment and the LM's address.
 *
 * A request goes from `routes/openai` through what `chat-parts.ts` puts together (keys, canary,
 * feedback, trackers, metrics) to `answer/answerer.ts`, which runs the program by
 * `model/chat-run.ts`, and its answer back through `routes/openai/reply`.
 */
export type {
  ChatAnswer,
  Citation,
  ChatQuestion,
  ChatOutcome,
  LiveAnswer,
  LiveMetric,
  ChatUsage,
} from "./model/chat-exchange.ts";
export { citationsOf } from "./model/chat-exchange.ts";
export type { ChatModel } from "./model/chat-model.ts";
export { chatModel, withArtifact } from "./model/chat-model.ts";
export type { ChatHandler, ChatServer } from "./chat-server.ts";
export type { ChatServerOptions, HandlerOptions } from "./chat-server-options.ts";
export { chatServer, handler } from "./chat-server.ts";
export type { ChatEvent, ChatRunOptions } from "./model/chat-run.ts";
export { runChat } from "./model/chat-run.ts";
export type {
  Erased,
  ErasedSubject,
  FeedbackOptions,
  FeedbackStore,
} from "./feedback/open-feedback.ts";
export type { FeedbackExample, FeedbackTrace } from "./feedback/feedback-examples.ts";
export { feedbackExample } from "./feedback/feedback-examples.ts";
export type { KeptCompletion, RatedCompletion, Rater, Rating } from "./feedback/kept-completion.ts";
export { openFeedback } from "./feedback/open-feedback.ts";
export type { Preference } from "./feedback/server-feedback.ts";
export { readPreferences } from "./feedback/server-feedback.ts";
export { serverFileKind } from "./server-file-kind.ts";
export type { FeedbackWriter, WriterStatus } from "./feedback/feedback-writer.ts";
export type { Proportion } from "../statistics/index.ts";
export { wilsonInterval } from "../statistics/index.ts";
export { ApiError, invalidParameter } from "./api-error/api-error.ts";
export { apiKeyFile, apiKeys, apiKeysInClear, newApiKey } from "./api-keys.ts";
export type { ApiKeyEvents, ApiKeys } from "./api-keys.ts";
export type {
  AnswerOutcome,
  AnswerQuestion,
  AnswerStart,
  Question,
} from "./answer/answer-question.ts";
export type { GuardedServer, GuardedServerOptions, GuardedTools } from "./guarded-server.ts";
export { guardedServer } from "./guarded-server.ts";
export { isLoopback } from "./http/known-hosts.ts";
export type { AnswerEvents } from "./protocol/answer-stream.ts";
export { answerStream } from "./protocol/answer-stream.ts";
export type {
  BatchFormat,
  BatchQuestion,
  LineFormat,
  ProtocolAdapter,
  ServeContext,
} from "./protocol/protocol-adapter.ts";
export type { EventStream } from "./protocol/event-stream.ts";
export { eventStreamHeaders } from "./protocol/event-stream.ts";
export type { BatchJob, ProgramRow, BatchOutcome, RunBatchOptions } from "./batch/run-batch.ts";
export type { BatchRecord, ResultFile } from "./batch/result-file.ts";
export { checkBatchRecord, openResultFile } from "./batch/result-file.ts";
export {
  chatJobs,
  programJobs,
  programLines,
  programRow,
  runBatch,
  readRows,
} from "./batch/run-batch.ts";
export type { ListedModel, ModelTable } from "./versions/model-table.ts";
export { modelTable } from "./versions/model-table.ts";
export { pageAdapter } from "./routes/page/page-adapter.ts";
export type { CanaryRules as RolloutRules, Findings } from "./comparison/sequential-comparison.ts";
export type { ServeState } from "./state/open-serve-state.ts";
export { openServeState } from "./state/open-serve-state.ts";
export type { CanaryReport as RolloutReport } from "./canary/canary-report.ts";
export {
  canaryJson as rolloutJson,
  canaryReports as rolloutReports,
} from "./canary/canary-report.ts";
export type { CanarySettings as RolloutSettings } from "./canary/canary-settings.ts";
export type { Serving } from "./model/serving.ts";
export { isServing, serving } from "./model/serving.ts";
export type {
  AnswerListener,
  AnswerListenerOptions,
  AnswerStatus,
  AnswerTracker,
  Delivery,
  TrackedAnswer,
  TrackedRating,
} from "./answer-tracker.ts";
