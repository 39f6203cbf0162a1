/**
 * Small helpers with at least two callers: hashing, canonical JSON, randomness, time, secrets,
 * shared work. Calls no language model; not part of the public API.
 */
export { canonicalJson, contentHash, sha256 } from "./json/content-hash.ts";
export { allOrAbort, linkedAbort, orAborted } from "./async/all-or-abort.ts";
export { BodyTooLarge, boundedText, bodyLimits, defaultMaxReplyBytes } from "./bounded-body.ts";
export type { BodyLimits } from "./bounded-body.ts";
export {
  byteSize,
  mebibyte,
  componentId,
  excerpt,
  joinNames,
  isKebabCase,
} from "./text/short-text.ts";
export { coalesced, singleFlight } from "./async/single-flight.ts";
export type { Clock } from "./async/clock.ts";
export { epochMs, systemClock } from "./async/clock.ts";
export { exactOptional } from "./exact-optional.ts";
export {
  foreignJson,
  tooDeep,
  jsonOrUndefined,
  exactJson,
  isDeeperThan,
  isLargeInteger,
  parseJson,
  escapeControlCharacters,
} from "./json/parse-json.ts";
export { checkInputs } from "./check-inputs.ts";
export {
  checkAtLeast,
  checkCount,
  checkMilliseconds,
  checkShare,
  optionOutside,
  sumKnown,
} from "./check-number.ts";
export { deepFreeze, mapValues, getOwn } from "./objects.ts";
export { grammarOption } from "./text/grammar-option.ts";
export type { LinkedAbort } from "./async/all-or-abort.ts";
export {
  hasLines,
  lineEnds,
  lineEscaper,
  lineOrBlock,
  oneLine,
  withoutTags,
} from "./text/lines.ts";
export { once, oncePer } from "./text/once.ts";
export { opened } from "./opened.ts";
export { isPackageMissing } from "./package-missing.ts";
export type { Counter, Histogram, Labels } from "./text/prometheus.ts";
export { counter, counterBy, gauge, gaugeBy, histogram } from "./text/prometheus.ts";
export type { ImageType } from "./images.ts";
export {
  dataUrlParts,
  imagesOf,
  imagePlaceholder,
  placeholdersIn,
  withoutImages,
  dataUrlOf,
  imageDataIn,
  imageTypeOf,
  imageUrlProblem,
  maxImageBytes,
  otherTypeOf,
} from "./images.ts";
export { isNoSuchFile, faultCode, isTlsFault, tlsAdvice } from "./fault-code.ts";
export {
  isObject,
  amount,
  anything,
  at,
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
  upTo,
} from "./json/shape.ts";
export type { RandomSource } from "./random-source.ts";
export { drawFrom, randomSource } from "./random-source.ts";
export type { SingleFlight } from "./async/single-flight.ts";
export type { Semaphore } from "./async/semaphore.ts";
export { semaphore } from "./async/semaphore.ts";
export { pointedAt } from "./json/json-pointer.ts";
export type { GrowingText } from "./text/growing-text.ts";
export { growingText } from "./text/growing-text.ts";
export type { SaidText } from "./text/said-text.ts";
export { saidText } from "./text/said-text.ts";
export { withoutChatTokens } from "./text/without-chat-tokens.ts";
export { nearestName } from "./text/nearest-name.ts";
export { mapTexts, wellFormed, withWholeEscapes } from "./json/well-formed.ts";
export { visibleText } from "./text/visible-text.ts";
export { credentialsIn, mask, secretMask, withoutCredentials } from "./text/secret-mask.ts";
export type { Advice } from "./fault-code.ts";
export { checkHeaders } from "./sendable-headers.ts";
export type { WordVector } from "./text/word-vectors.ts";
export { cosineOfWords, wordVectors } from "./text/word-vectors.ts";
export type { Shape } from "./json/shape.ts";
export { sqlite } from "./sqlite.ts";
