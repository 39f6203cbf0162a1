import type { FeedbackStore } from "../../serve/index.ts";
import { openFeedback } from "../../serve/files.ts";
import { wholeNumber } from "../arguments/arguments.ts";

/** Arguments of a server that keeps its answers. */
export const feedbackArguments = {
  feedback: {
    type: "string",
    description: "File to store answers and their ratings in; without it, none are stored",
    valueHint: "DB",
  },
  "feedback-days": {
    type: "string",
    description: "Days to keep an answer",
    valueHint: "N",
    default: "30",
  },
  "feedback-rows": {
    type: "string",
    description: "Maximum number of answers to keep; the oldest are erased first",
    valueHint: "N",
    default: "100000",
  },
} as const;

/**
 * Opens the file that the command line names; makes it if it is missing.
 *
 * @throws EspalierError `usage-invalid`, `feedback-unusable`
 */
export function serveFeedback(
  given: {
    readonly feedback?: string | undefined;
    readonly "feedback-days": string;
    readonly "feedback-rows": string;
  },
  secrets: readonly string[],
): FeedbackStore | undefined {
  const keepDays = wholeNumber("feedback-days", given["feedback-days"], 1);
  const keepRows = wholeNumber("feedback-rows", given["feedback-rows"], 1);
  if (given.feedback === undefined) return undefined;
  return openFeedback({ path: given.feedback, isMade: true, keepDays, keepRows, secrets });
}
