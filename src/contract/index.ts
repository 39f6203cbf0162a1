/**
 * The vocabulary that all parts of the framework share: types and the values that define them, no
 * behaviour beyond what a parameter and a vector may hold, how probabilities add up and to which
 * examples a demonstration may be shown. Nothing here knows how a prompt is rendered, a server is
 * reached or a score is computed, and every value described here is immutable once made.
 */
export type {
  Candidate,
  Component,
  ComponentKind,
  DemonstratedStep,
  Demonstration,
  DemonstrationVectors,
  NearestDemonstrations,
  ParameterValue,
} from "./component.ts";
export { mayShow } from "./component.ts";
export type {
  Turn,
  LmFilePart,
  LmImagePart,
  LmMessage,
  LmPart,
  LmTextMessage,
  LmTextPart,
  LmTool,
  LmToolCall,
} from "./lm-message.ts";
export { checkedVectors } from "./text-model.ts";
export { defaultSampling, alternativesOf, sharesOf } from "./language-model.ts";
export type { Example, SplitName, Trainset } from "./example.ts";
export { splitNames } from "./example.ts";
export type { Failure, FailureKind } from "../errors/index.ts";
export type { Json, JsonObject, JsonSchema } from "./json.ts";
export type {
  FinishReason,
  GeneratedToken,
  LanguageModel,
  LmCallOptions,
  LmDelta,
  LmIdentity,
  LmReply,
  LmRequest,
  LmRole,
  LmUsage,
  MadeCall,
  ResponseSchema,
  Sampling,
  TokenLogprob,
} from "./language-model.ts";
export {
  filesIn,
  imageName,
  imagesIn,
  mediaIn,
  textOfContent,
  textOfMessage,
} from "./lm-message.ts";
export type {
  Blame,
  BlamePath,
  Metric,
  MetricArguments,
  MetricRow,
  NotApplicable,
  Score,
  Scored,
  Unscored,
} from "./metric.ts";
export type { Parameter, ParameterCondition, WeighedLabel } from "./parameter.ts";
export { parameterProblem } from "./parameter.ts";
export type { Passage, RankedPassage, Retriever, RetrieveRequest } from "./passages.ts";
export type { PassageReranker, RerankOptions, RerankRequest } from "./passages.ts";
export type { RandomSource } from "../internal/index.ts";
export { promptLayout } from "./prompt-layout.ts";
export type {
  Attempt,
  DeepPartial,
  Gold,
  GoldPart,
  PartialListener,
  PartialOrigin,
  ProgramStep,
  Runnable,
  RunOptions,
  StreamedPiece,
} from "./runnable.ts";
export type { ImageUrl, RoleOf, Text } from "./text.ts";
export type { ClientCall, ClientStep, ClientTools, Tool, ToolOutcome } from "./tool.ts";
export type { Tokenizer } from "./tokenizer.ts";
export type {
  Embedder,
  PairScorer,
  RelevanceScore,
  Reranker,
  TextModelOptions,
  TextModelUsage,
} from "./text-model.ts";
export type {
  LabelDecision,
  LmCallRecord,
  PredictorTrace,
  RetrievalTrace,
  ScopeTrace,
  Trace,
  TraceClock,
  TraceNode,
  ToolTrace,
} from "./trace.ts";
export { isOnce, oncePlace, toolReply } from "./tool.ts";
