/**
 * The second door of this folder, to what keeps replies and finds them again, and to addresses of
 * servers. Loads no client of a server.
 */
export { atMostTokens, atTemperature } from "./wrappers/other-sampling.ts";
export { cached, callKeys, cacheOnly } from "./wrappers/cached.ts";
export { remoteCall } from "./wrappers/remote-call.ts";
export { identityShape, replyIn, replyShape, roleShape } from "./wrappers/disk-cache.ts";
export {
  addressForms,
  anyUrlOf,
  isListAddress,
  isServerAddress,
  serverList,
} from "./replicas/server-list.ts";
