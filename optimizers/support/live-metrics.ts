/**
 * Metrics that judge an answer immediately, without a reference or a model. They cannot tell
 * correct from wrong answers; they detect versions that stop answering, ramble, or leave their
 * passages.
 */
import { declinesByRule } from "@espalier/judge";
import { answerTokens } from "espalier/metric";
import type { LiveMetric } from "espalier/serve";

const mark = /\[(\d+)\]/g;

/** 0 if the answer mostly declines. Correct refusals count too, equally in both versions. */
const tells: LiveMetric = ({ outcome }) => 1 - declinesByRule(outcome.answer);

/**
 * The share of the answer's distinct words, without marks such as `[1]`, that its passages contain.
 */
const grounded: LiveMetric = ({ outcome: { answer, contexts } }) => {
  const said = new Set(answerTokens(answer.replaceAll(mark, "")));
  if (said.size === 0) return 0;
  const known = new Set(contexts.flatMap((text) => answerTokens(text)));
  return said.intersection(known).size / said.size;
};

/** At most 400 words. */
const concise: LiveMetric = ({ outcome }) => (outcome.answer.split(/\s+/).length <= 400 ? 1 : 0);

/** The answer contains at least one `[n]`, and each is the number of a citation. */
const cites: LiveMetric = ({ outcome: { answer, citations } }) => {
  const numbers = [...answer.matchAll(mark)].map(([, digits]) => Number(digits));
  const areAll = numbers.every((number) => number >= 1 && number <= citations.length);
  return numbers.length > 0 && areAll ? 1 : 0;
};

export const ofAnswers: Readonly<Record<string, LiveMetric>> = { tells, grounded, concise };
export const ofCitingAnswers: Readonly<Record<string, LiveMetric>> = { ...ofAnswers, cites };
