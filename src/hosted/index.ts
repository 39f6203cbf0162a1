/**
 * Models of hosted providers, through ax. A separate entry point, since users of their own server
 * should not wait for ax to load. Wrappers around a model (cache, retries, limit, ledger) are in
 * `espalier/lm`.
 */
export type { HostedOptions, HostedService } from "../ax/index.ts";
export { hosted } from "../ax/index.ts";
