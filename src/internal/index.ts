/**
 * Small helpers with at least two callers: hashing, canonical JSON, randomness, time, secrets,
 * shared work. Knows nothing of language models; not part of the public API.
 */
export { canonicalJson } from "./json/canonical-json.ts";
export { allOrAbort } from "./async/all-or-abort.ts";
export { BodyTooLarge, boundedText } from "./bounded-text.ts";
export type { BodyLimits } from "./body-limits.ts";
export { bodyLimits, defaultMaxReplyBytes } from "./body-limits.ts";
export { byteSize, mebibyte } from "./byte-size.ts";
export { coalesced } from "./async/coalesced.ts";
export type { Clock } from "./async/clock.ts";
export { systemClock } from "./async/clock.ts";
export { excerpt } from "./text/excerpt.ts";
export { foreignJson, tooDeep } from "./json/foreign-json.ts";
export { checkAtLeast, checkCount, checkMilliseconds } from "./check-number.ts";
export { deepFreeze } from "./deep-freeze.ts";
export type { LinkedAbort } from "./async/linked-abort.ts";
export { linkedAbort } from "./async/linked-abort.ts";
export { hasLines, lineEnds } from "./text/line-ends.ts";
export { lineEscaper } from "./text/line-escaper.ts";
export { lineOrBlock } from "./text/line-or-block.ts";
export { joinNames } from "./text/join-names.ts";
export { oneLine } from "./text/one-line.ts";
export type { RandomSource } from "./random-source.ts";
export { drawFrom, randomSource } from "./random-source.ts";
export { contentHash, sha256 } from "./json/sha256.ts";
export type { SingleFlight } from "./async/single-flight.ts";
export { singleFlight } from "./async/single-flight.ts";
export type { Semaphore } from "./async/semaphore.ts";
export { semaphore } from "./async/semaphore.ts";
export { getOwn } from "./get-own.ts";
export { withoutChatTokens } from "./text/without-chat-tokens.ts";
export { withoutTags } from "./text/without-tags.ts";
export { credentialsIn, mask, secretMask, withoutCredentials } from "./text/secret-mask.ts";
export { jsonOrUndefined } from "./json/json-or-undefined.ts";
export { parseJson } from "./json/parse-json.ts";
export type { Shape } from "./json/shape.ts";
export {
  anything,
  count,
  either,
  finite,
  flag,
  listOf,
  objectOf,
  oneOf,
  optional,
  orNull,
  plainObject,
  recordOf,
  text,
  unionBy,
} from "./json/shape.ts";
