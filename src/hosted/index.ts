/**
 * Models of hosted providers, through ax. A separate entry point, so that users of their own server
 * need not wait for ax to load. The wrappers around a model (cache, retries, limit, ledger) are in
 * `espalier/lm`.
 */
export type { HostedOptions, HostedService } from "../ax/index.ts";
export { hosted } from "../ax/index.ts";
