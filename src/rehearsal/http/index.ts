/**
 * The rehearsal models behind the HTTP interface of vLLM's OpenAI-compatible server: envelopes,
 * error bodies, streaming, usage; and what a test wants besides: a count of calls, seeded faults
 * and latencies. Knows the models under their contracts only, and draws faults by call, never by
 * content, unparseable content excepted.
 */
export type { CallEntry, CallReport, EndpointCount } from "./call-log.ts";
export type { CallFault, FaultShares } from "./faults.ts";
export type { Latency } from "./latency.ts";
export type { RehearsalServer, RehearsalServerOptions } from "./serve-rehearsal.ts";
export { serveRehearsal } from "./serve-rehearsal.ts";
