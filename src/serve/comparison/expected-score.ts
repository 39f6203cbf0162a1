/** What an answer of the baseline is expected to score, from those before it. */
export interface ExpectedScore {
  of(apiKey: string): number;
  /** @param score of an answer of the baseline */
  learn(apiKey: string, score: number): void;
}

/**
 * The mean of the API key's own scores, with the mean over all keys as one score more. Each key
 * weighs the same in that one, however often it asks.
 */
export function expectedScore(): ExpectedScore {
  const keys = new Map<string, { readonly sum: number; readonly count: number }>();
  let sumOfMeans = 0;
  const nothing = { sum: 0, count: 0 };
  return {
    of: (apiKey) => {
      const { sum, count } = keys.get(apiKey) ?? nothing;
      const common = (sumOfMeans + 0.5) / (keys.size + 1);
      return (sum + common) / (count + 1);
    },
    learn: (apiKey, score) => {
      const { sum, count } = keys.get(apiKey) ?? nothing;
      const now = { sum: sum + score, count: count + 1 };
      sumOfMeans += now.sum / now.count - (count === 0 ? 0 : sum / count);
      keys.set(apiKey, now);
    },
  };
}
