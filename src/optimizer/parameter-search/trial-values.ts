import { mean, sum } from "../../statistics/index.ts";

/** Scores by example; examples without a score, as after a fault, are left out. */
export type Scores = ReadonlyMap<string, number>;

/**
 * What each setting seems worth, on a scale of its own: results on few examples count for less than
 * results on many.
 *
 * The gain of a setting is the mean, over the examples it has scores on, of its score less the mean
 * of all settings on that example, so that easy examples favour nobody. It is multiplied by its
 * reliability `t / (t + s / n)`, the empirical Bayes estimate: `n` examples, the variance `s` of
 * scores around their settings' gains, and the variance `t` of true gains, by the method of
 * moments. Where all have scores on the same examples, the order is that of their means.
 *
 * @param settings each with a score
 */
export function trialValues(settings: readonly Scores[]): readonly number[] {
  const byExample = new Map<string, number[]>();
  for (const scores of settings) {
    for (const [id, score] of scores) {
      const known = byExample.get(id);
      if (known === undefined) byExample.set(id, [score]);
      else known.push(score);
    }
  }
  const means = new Map([...byExample].map(([id, scores]) => [id, mean(scores)]));
  const excesses = settings.map((scores) =>
    [...scores].map(([id, score]) => score - (means.get(id) as number)),
  );
  const gains = excesses.map(mean);
  const squares = sum(
    excesses.flatMap((own, place) => own.map((one) => (one - (gains[place] as number)) ** 2)),
  );
  const count = sum(excesses.map(({ length }) => length));
  const free = count - settings.length - byExample.size + 1;
  const noise = squares / Math.max(1, free);
  const center = mean(gains);
  const spread = sum(gains.map((gain) => (gain - center) ** 2)) / Math.max(1, gains.length - 1);
  const ofNoise = mean(excesses.map(({ length }) => noise / length));
  // However alike they look, results on more examples count for more.
  const signal = Math.max(spread - ofNoise, noise / byExample.size);
  return excesses.map((own, place) => {
    const gain = gains[place] as number;
    return noise === 0 ? gain : (gain * signal) / (signal + noise / own.length);
  });
}
