import type { Text } from "espalier";
import { extractivenessOf, pythonSplit } from "espalier/metric";
import { unlessUnreadable } from "../../support/unless-unreadable.ts";
import { clean } from "./clean.ts";
import type { GenerationCall } from "./modules.ts";
import { isPureRefusal } from "./phrases.ts";

/**
 * Stage 5: corrects an answer that is too short, too long or too far from the facts; the first
 * fault counts. The edit is kept unless it refuses or is very short.
 */
export async function adjust(
  answer: string,
  spans: readonly Text<"span">[],
  call: GenerationCall,
): Promise<string> {
  const { predictors, parameters } = call;
  const isRefusal = (text: string) => isPureRefusal(text, parameters.refusalLimit);
  const problem = isRefusal(answer) ? null : problemOf(answer, spans, parameters);
  if (problem === null) return answer;
  const reply = predictors.adjustAnswer({
    answer,
    problem,
    spans: spans.slice(0, parameters.judgedSpans),
  });
  const adjusted = clean((await unlessUnreadable(reply, () => ({ adjusted: "" }))).adjusted);
  const isKept = !isRefusal(adjusted) && pythonSplit(adjusted).length >= parameters.shortEditWords;
  call.note("adjustment", { problem, isKept });
  return isKept ? adjusted : answer;
}

function problemOf(
  answer: string,
  spans: readonly string[],
  { shortAnswerWords, longAnswerWords, lowExtractiveness }: GenerationCall["parameters"],
): string | null {
  const words = pythonSplit(answer).length;
  if (words < shortAnswerWords) {
    return `It is too short: ${words} words, where at least ${shortAnswerWords} are wanted.`;
  }
  if (words > longAnswerWords) {
    return `It is too long: ${words} words, where at most ${longAnswerWords} are wanted.`;
  }
  const share = extractivenessOf({ answer, spans });
  if (share >= lowExtractiveness) return null;
  return `Too little of its wording is that of the facts: ${percent(share)}, where at least ${percent(lowExtractiveness)} is wanted.`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
