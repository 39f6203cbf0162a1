import { pythonPattern, stripped } from "../python-text.ts";

const remark = pythonPattern(
  String.raw`^(?:thanks|thank you|ok|okay|yes|no|got it|great|cool|nice|alright)\s*[.!?]?$`,
  "i",
);

/** Whether a turn is a mere remark that asks nothing (appendix C.1, stage 0). */
export function isConversational(question: string): boolean {
  return remark.test(stripped(question));
}
