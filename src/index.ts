/**
 * The front door: what a program and its study are declared with. Language models, metrics
 * and evaluation have doors of their own, so that none is loaded unasked.
 */
export type * from "./contract/index.ts";
export { textOfContent } from "./contract/index.ts";
export type { ErrorCode, ErrorReport } from "./errors/index.ts";
export {
  ClientCallsError,
  EspalierError,
  errorCodes,
  failureOf,
  FormatError,
  LmError,
} from "./errors/index.ts";
export { lineEscaper, oneLine, randomSource } from "./internal/index.ts";
export type {
  AgentOptions,
  AgentSettings,
  BoundDriver,
  Call,
  CallKey,
  ChoiceParameter,
  Driver,
  DriverBinding,
  DriverSession,
  NumberParameter,
  Parameter,
  Parameters,
  ParameterValues,
  Predictor,
  PredictorCallOptions,
  PredictorInRun,
  PredictorOptions,
  Predictors,
  PredictorSettings,
  PredictorTexts,
  ProbabilitySource,
  ProbabilitySources,
  Program,
  ProgramDefinition,
  ReasoningFields,
  TextFieldOf,
  ToolCaller,
  ToolDefinition,
  TunableProgram,
} from "./program/index.ts";
export {
  agent,
  choice,
  embedDemonstrations,
  int,
  jsonDriver,
  labelWeight,
  predict,
  program,
  real,
  reason,
  tool,
} from "./program/index.ts";
export type {
  Field,
  FieldSchema,
  FieldSchemas,
  FieldShape,
  InputOf,
  OutputOf,
  Signature,
  SignatureDefinition,
  TextOptions,
  Wired,
} from "./signature/index.ts";
export {
  conversation,
  image,
  passages,
  rankedPassages,
  signature,
  text,
} from "./signature/index.ts";
export type {
  Breakdown,
  BrokenDownRow,
  Experiment,
  ExperimentFigure,
  ExperimentRow,
  PublishedFigure,
} from "./experiment/files.ts";
export { experiment } from "./experiment/files.ts";
export type { Study } from "./study/index.ts";
export { study } from "./study/index.ts";
