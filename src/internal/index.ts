/**
 * Small helpers with at least two callers: hashing, canonical JSON, randomness, time, secrets,
 * shared work. Knows nothing of language models; not part of the public API.
 */
export { canonicalJson } from "./canonical-json.ts";
export { allOrAbort } from "./all-or-abort.ts";
export { BodyTooLarge, boundedText } from "./bounded-text.ts";
export type { BodyLimits } from "./body-limits.ts";
export { bodyLimits, defaultMaxReplyBytes } from "./body-limits.ts";
export { byteSize, mebibyte } from "./byte-size.ts";
export { coalesced } from "./coalesced.ts";
export type { Clock } from "./clock.ts";
export { systemClock } from "./clock.ts";
export { excerpt } from "./excerpt.ts";
export { foreignJson, tooDeep } from "./foreign-json.ts";
export { checkAtLeast, checkCount, checkMilliseconds } from "./check-number.ts";
export { deepFreeze } from "./deep-freeze.ts";
export type { LinkedAbort } from "./linked-abort.ts";
export { linkedAbort } from "./linked-abort.ts";
export { hasLines, lineEnds } from "./line-ends.ts";
export { lineEscaper } from "./line-escaper.ts";
export { lineOrBlock } from "./line-or-block.ts";
export { joinNames } from "./join-names.ts";
export { oneLine } from "./one-line.ts";
export type { RandomSource } from "./random-source.ts";
export { drawFrom, randomSource } from "./random-source.ts";
export { contentHash, sha256 } from "./sha256.ts";
export type { SingleFlight } from "./single-flight.ts";
export { singleFlight } from "./single-flight.ts";
export type { Semaphore } from "./semaphore.ts";
export { semaphore } from "./semaphore.ts";
export { getOwn } from "./get-own.ts";
export { withoutChatTokens } from "./without-chat-tokens.ts";
export { withoutTags } from "./without-tags.ts";
export { credentialsIn, mask, secretMask, withoutCredentials } from "./secret-mask.ts";
export { jsonOrUndefined } from "./json-or-undefined.ts";
export { parseJson } from "./parse-json.ts";
export type { Shape } from "./shape.ts";
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
} from "./shape.ts";
