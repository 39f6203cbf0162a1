/**
 * Sends runs and evaluations to MLflow: plain data out of finished work, over MLflow's REST routes.
 * It decides nothing and reads no file; whoever calls it may stop at any time and send everything
 * again, since each thing has a name of its own. JavaScript has no MLflow client that covers runs,
 * artifacts and prompts, hence this one on `fetch`.
 */
export type { EvaluationRunOptions } from "./evaluation-run.ts";
export { evaluationRun } from "./evaluation-run.ts";
export type { MlflowServer, MlflowServerOptions } from "./mlflow-server.ts";
export { mlflowServer } from "./mlflow-server.ts";
export type { SearchRunOptions } from "./search-run.ts";
export { searchRun } from "./search-run.ts";
export type { SentRun } from "./send-run.ts";
export { sendRun } from "./send-run.ts";
export type { TrackedArtifact, TrackedRun } from "./tracked-run.ts";
