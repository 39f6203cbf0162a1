/** The front door: everything a program and its study are declared with. */
export type * from "./contract/index.ts";
export type { ErrorCode, ErrorReport } from "./errors/index.ts";
export { EspalierError, errorCodes, failureOf, FormatError, LmError } from "./errors/index.ts";
