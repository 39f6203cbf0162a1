import type { ClarificationVerdict } from "./conditioning.ts";

/**
 * Whether a response asks what was meant, by rules and without a model: it ends in a question, or bids
 * the user specify, clarify or provide something. A stand-in for the clarification judge, and named so
 * wherever it is used. English only.
 */
export function asksBackByRule(response: string): Exclude<ClarificationVerdict, 0.5> {
  const sentences = response.split(/(?<=[.!?])\s+|\n+/u).filter((part) => part.trim() !== "");
  const last = sentences.at(-1)?.trim() ?? "";
  const isOffer = /\b(?:anything else|help (?:you )?(?:with )?(?:any|other))\b/iu.test(last);
  const bids =
    /\b(?:could|can|would|please|kindly)\b[^.?!]*\b(?:specify|clarify|provide|tell me|let me know|say which|elaborate|share)\b/iu;
  return (last.endsWith("?") && !isOffer) || bids.test(response) ? 1 : 0;
}
