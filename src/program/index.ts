/**
 * Predictors and the programs composed of them. A program knows its steps, their texts and its
 * parameters; it does not know datasets, metrics or optimizers. Everything here is immutable: a
 * candidate is applied by making a new program, so any number of runs can proceed concurrently.
 */
export type {
  Call,
  Parameters,
  PredictorCallOptions,
  PredictorInRun,
  Predictors,
  TextFieldOf,
} from "./call.ts";
export { clientToolsProblem, takersOfClientTools } from "./program.ts";
export type { CallKey } from "./call/call-path.ts";
export type {
  AgentSettings,
  BoundDriver,
  Driver,
  DriverBinding,
  DriverSession,
  PredictorSettings,
  ToolCaller,
  ProbabilitySource,
  ProbabilitySources,
} from "./driver/driver.ts";
export { jsonDriver } from "./driver/json-driver.ts";
export type { LmSession, LmSessionOptions } from "./call/lm-session.ts";
export { lmSession } from "./call/lm-session.ts";
export type { Parameter } from "../contract/index.ts";
export type { ChoiceParameter, NumberParameter, ParameterValues } from "./parameter.ts";
export { choice, int, labelWeight, real } from "./parameter.ts";
export type { WeightsByPredictor } from "./label-weights.ts";
export { weightsIn } from "./label-weights.ts";
export type { LabelWeights } from "./decision/decided-label.ts";
export { decidedLabel } from "./decision/decided-label.ts";
export { agent } from "./predictor/agent.ts";
export type { AgentOptions } from "./predictor/agent.ts";
export type { ToolDefinition } from "./driver/tool.ts";
export { checkTool, tool } from "./driver/tool.ts";
export { embedDemonstrations } from "./nearest/nearest-demonstrations.ts";
export { predict, reason } from "./predictor/predict.ts";
export type {
  Predictor,
  PredictorAddress,
  PredictorCall,
  PredictorOptions,
} from "./predictor/predictor.ts";
export type { PredictorTexts } from "./predictor/predictor-texts.ts";
export type { Program, ProgramDefinition, TunableProgram } from "./tunable-program.ts";
export { program } from "./program.ts";
export type { ReasoningFields } from "./predictor/predict.ts";
