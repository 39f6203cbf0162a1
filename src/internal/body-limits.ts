import { constants } from "node:buffer";
import { EspalierError } from "../errors/index.ts";
import { mebibyte } from "./byte-size.ts";

/** How much of a server's replies is read. */
export interface BodyLimits {
  readonly maxReplyBytes: number;
  /** Of the body of a refusal; what is beyond is cut off. */
  readonly maxErrorBytes: number;
}

export const defaultMaxReplyBytes: number = 64 * mebibyte;

/** @throws EspalierError `option-invalid` */
export function bodyLimits(maxReplyBytes: number): BodyLimits {
  // A body in UTF-8 has no more characters than bytes, so that one within the limit fits into a string.
  const most = constants.MAX_STRING_LENGTH;
  if (Number.isInteger(maxReplyBytes) && maxReplyBytes >= 1 && maxReplyBytes <= most) {
    return { maxReplyBytes, maxErrorBytes: Math.min(maxReplyBytes, mebibyte) };
  }
  throw new EspalierError({
    code: "option-invalid",
    problem: "Replies cannot be limited to this size",
    expected: `\`maxReplyBytes\`, a whole number from 1 to ${most}`,
    got: String(maxReplyBytes),
  });
}
