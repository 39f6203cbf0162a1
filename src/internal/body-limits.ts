import { constants } from "node:buffer";
import { EspalierError } from "../errors/index.ts";
import { mebibyte } from "./byte-size.ts";

/** Limits on what is read of a server's replies. */
export interface BodyLimits {
  readonly maxReplyBytes: number;
  /** Limit for an error body; the rest is cut off. */
  readonly maxErrorBytes: number;
}

export const defaultMaxReplyBytes: number = 64 * mebibyte;

/** @throws EspalierError `option-invalid` */
export function bodyLimits(maxReplyBytes: number): BodyLimits {
  // A UTF-8 body has at most as many characters as bytes, so one within this limit fits into a
  // string.
  const most = constants.MAX_STRING_LENGTH;
  if (Number.isInteger(maxReplyBytes) && maxReplyBytes >= 1 && maxReplyBytes <= most) {
    return { maxReplyBytes, maxErrorBytes: Math.min(maxReplyBytes, mebibyte) };
  }
  throw new EspalierError({
    code: "option-invalid",
    problem: "The limit on replies is invalid",
    expected: `\`maxReplyBytes\`, a whole number from 1 to ${most}`,
    got: String(maxReplyBytes),
  });
}
