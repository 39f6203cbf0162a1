/**
 * Models of hosted providers, through ax. A door of its own, since who asks a server of their own should
 * not wait for ax to load. What stands around a model (cache, retries, limit, ledger) is in `espalier/lm`.
 */
export type { HostedOptions, HostedService } from "../ax/index.ts";
export { hosted } from "../ax/index.ts";
