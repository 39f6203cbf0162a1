/**
 * Searches of AILS-NTUA over wordings that a turn brings along, without any LM: for rewrites that
 * were recorded elsewhere.
 */
export { fuseWordings } from "./fuse-wordings.ts";
export { searchWordings } from "./search-wordings.ts";
