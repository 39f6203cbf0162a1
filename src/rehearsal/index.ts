/**
 * A rule-based, deterministic stand-in for a language model, so that everything runs without a GPU and
 * without a key. It does what instruction and demonstrations tell it, as far as rules can, and poorly
 * what they do not tell. It is given requests and nothing else: no program, signature, metric or
 * collection. Figures obtained with it show that the machinery works and say nothing about a model.
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
