/**
 * The rehearsal models behind the HTTP interface of vLLM's OpenAI-compatible server: envelopes,
 * error bodies, streaming, usage. For tests it adds a call count, seeded faults and latencies. It
 * knows the models only through their contracts, and draws faults by call, not by content, except
 * for unparseable content.
 */
export type { CallEntry, CallReport, EndpointCount } from "./call-log.ts";
export type { CallFault, FaultShares } from "./faults.ts";
export type { Latency } from "./latency.ts";
export type { RehearsalServer, RehearsalServerOptions } from "./serve-rehearsal.ts";
export { serveRehearsal } from "./serve-rehearsal.ts";
