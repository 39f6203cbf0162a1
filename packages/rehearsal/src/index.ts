/**
 * A deterministic, rule-based mock of a language model, so that everything runs
 * without a GPU or an API key. It follows instructions and demonstrations as far as rules can, and
 * performs poorly on what they leave out. It sees only requests: no program, signature, metric or
 * collection. Figures obtained with it show that the machinery works; they say nothing about a real
 * model.
 */
export type {
  RehearsalEmbedderOptions,
  RehearsalLmOptions,
  RehearsalRerankerOptions,
  RehearsalScorerOptions,
} from "./model/index.ts";
export {
  rehearsalEmbedder,
  rehearsalLm,
  rehearsalReranker,
  rehearsalScorer,
} from "./model/index.ts";
export type {
  CallEntry,
  CallFault,
  CallReport,
  EndpointCount,
  FaultShares,
  Latency,
  RehearsalServer,
  RehearsalServerOptions,
} from "./http/index.ts";
export { serveRehearsal } from "./http/index.ts";
