import { FormatError } from "./format-error.ts";

/** The model answered, but declined: a fault of this prompt, not of the server. */
export function declinedReply(refusal: string, who: string, cause?: Error): FormatError {
  return new FormatError({
    code: "output-empty",
    problem: `The model \`${who}\` declined to answer`,
    got: refusal,
    rawText: refusal,
    ...(cause && { cause }),
  });
}
