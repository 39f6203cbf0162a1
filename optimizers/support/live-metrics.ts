/**
 * What can be seen of an answer at once, without its gold and without a model. None tells a right answer
 * from a wrong one: they find versions that fall silent, ramble, or leave their passages.
 */
import { answerTokens, declinesByRule } from "espalier/metric";
import type { LiveMetric } from "espalier/serve";

const mark = /\[(\d+)\]/g;

/** 0 where the answer declines and says little else. Right refusals count as well, in both versions alike. */
const tells: LiveMetric = ({ outcome }) => 1 - declinesByRule(outcome.answer);

/** Share of the answer's words, each once and without marks like `[1]`, that its passages have. */
const grounded: LiveMetric = ({ outcome: { answer, contexts } }) => {
  const said = new Set(answerTokens(answer.replaceAll(mark, "")));
  if (said.size === 0) return 0;
  const known = new Set(contexts.flatMap((text) => answerTokens(text)));
  return said.intersection(known).size / said.size;
};

/** At most 400 words. */
const concise: LiveMetric = ({ outcome }) => (outcome.answer.split(/\s+/).length <= 400 ? 1 : 0);

/** At least one `[n]`, and each the number of a citation. */
const cites: LiveMetric = ({ outcome: { answer, citations } }) => {
  const numbers = [...answer.matchAll(mark)].map(([, digits]) => Number(digits));
  const areAll = numbers.every((number) => number >= 1 && number <= citations.length);
  return numbers.length > 0 && areAll ? 1 : 0;
};

export const ofAnswers: Readonly<Record<string, LiveMetric>> = { tells, grounded, concise };
export const ofCitingAnswers: Readonly<Record<string, LiveMetric>> = { ...ofAnswers, cites };
