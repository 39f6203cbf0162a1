/**
 * Measures, without a language model, whether fusing rewrites over one sparse index pays. Rewrites
 * of MTRAG's turns, recorded from real models, query the embedded BM25 and are fused by AILS-NTUA's
 * own functions. First the figures must match an independent BM25; then a search for better
 * parameters of the nested fusion is evaluated on unseen conversations.
 */
import { wordings, wordingsOfStrategies } from "../../optimizers/support/recorded-wordings.ts";
import { benchOptions, report } from "./support/bench-options.ts";
import { fusionComparisons } from "./support/fusion-comparisons.ts";
import {
  combinations,
  distance,
  figuresByCollection,
  figuresOf,
  fiveFused,
  independent,
  swappedPairs,
} from "./support/fusion-figures.ts";
import { searchNumbers } from "./support/fusion-search.ts";
import { collections, replay, rewrites } from "./support/rewrites-on-mtrag.ts";

const { json, sizes } = benchOptions(
  "fusion",
  "Fuses recorded MTRAG rewrites over BM25 and searches for better parameters. Needs no LM.",
  { trials: [40, "Settings to try per collection"], seed: [0, "Seed of the search"] },
);
const tolerance = 0.02;
/** A collection has a quarter of the turns, so chance and the stop list matter more. */
const toleranceOfCollection = 0.03;

/** Rows that are closer than this in the independent index may appear in either order. */
const tie = 0.003;

const poolNote = `The pool contains the BM25 distractors of the last turn and of the human rewrite, but few of a new rewrite:
without those of their own the two had R@5 .244 and .269 in place of .183 and .222 (three collections).
So figures flatter a wording that differs much from them, most of all "informative" and "rewrite, then edit", and
a search is paid for weighing it up. Compare only rows of this table with each other.`;

if (rewrites.isAbsent) {
  report(json, `Nothing was measured.${rewrites.note}`, { skipped: rewrites.note.trim() });
} else {
  const { turns, sparse } = await replay();

  const rows = independent.map(({ name, row, all, byCollection = {} }) => {
    const figures = figuresOf(turns, row);
    const ofCollections = figuresByCollection(turns, row);
    const noted = collections.flatMap((collection) => byCollection[collection] ?? []);
    const ours = collections.flatMap((collection) =>
      byCollection[collection] === undefined ? [] : [ofCollections[collection]],
    );
    const off = distance(figures, all);
    const offInCollection = Math.max(
      0,
      ...noted.map((expected, index) => distance(ours[index] ?? expected, expected)),
    );
    return { name, figures, independent: all, byCollection: ofCollections, off, offInCollection };
  });
  const swapped = swappedPairs(rows);
  const fives = combinations(wordings, 5)
    .map((row) => ({ row, figures: figuresOf(turns, row) }))
    .toSorted((one, other) => distance(one.figures, fiveFused) - distance(other.figures, fiveFused))
    .slice(0, 5);
  const isReproduced =
    rows.every(
      ({ off, offInCollection }) => off <= tolerance && offInCollection <= toleranceOfCollection,
    ) && fives.some(({ figures }) => distance(figures, fiveFused) <= tolerance);
  const hasSameOrder = swapped.every(({ apart }) => apart <= tie);

  const searched = turns.filter(({ isUnseen }) => !isUnseen);
  const unseen = turns.filter(({ isUnseen }) => isUnseen);
  const found = [];
  for (const collection of collections) {
    found.push(await searchNumbers(collection, { turns: searched, sparse }, sizes));
  }
  const compared = await fusionComparisons(
    { turns, sparse },
    found.flatMap(({ numbers }) => numbers),
  );

  report(
    json,
    [
      `${turns.length} judged turns, R@5 / nDCG@5; independent BM25 in parentheses`,
      ...rows.map(
        ({ name, figures, independent: expected, off, offInCollection }) =>
          `${name.padEnd(34)}${shown(figures)}  (${shown(expected)})  off by ${off.toFixed(3)}${offInCollection > 0 ? `, in a collection by ${offInCollection.toFixed(3)}` : ""}${off > tolerance || offInCollection > toleranceOfCollection ? "  TOO FAR" : ""}`,
      ),
      "by collection (clapnq, fiqa, govt, cloud):",
      ...rows.map(
        ({ name, byCollection }) =>
          `${name.padEnd(34)}${collections.map((collection) => shown(byCollection[collection])).join("   ")}`,
      ),
      `RRF of five, independent ${shown(fiveFused)}; nearest of all fives:`,
      ...fives.map(({ row, figures }) => `  ${shown(figures)}  ${row.join(" + ")}`),
      `order of R@5 as in the independent figures: ${hasSameOrder ? "yes" : "no"}${swapped.map(({ one, other, apart }) => `; ${one} and ${other}, ${apart.toFixed(3)} apart there, are swapped`).join("")}`,
      "",
      `Nested fusion of ${Object.entries(wordingsOfStrategies)
        .map(([part, wording]) => `${part} = ${wording}`)
        .join(", ")}`,
      `Searched on train and dev, ${searched.length} turns, ${sizes.trials} settings per collection (nDCG@5):`,
      ...found.map(
        ({ collection, before, best, numbers }) =>
          `  ${collection.padEnd(8)}${before.toFixed(3)} -> ${best.toFixed(3)}  ${numbers.map(({ path, value }) => `${path} ${JSON.stringify(value)}`).join(", ")}`,
      ),
      `On test, ${unseen.length} turns, compared with the paper's parameters (95 % intervals, conversations resampled):`,
      ...compared.map(
        ({ name, figures, difference, interval, verdict }) =>
          `  ${name.padEnd(32)}${shown(figures)}${difference === undefined ? "" : `  nDCG@5 ${signed(difference)} [${signed(interval?.low)}, ${signed(interval?.high)}] ${verdict}`}`,
      ),
      "",
      poolNote,
    ].join("\n"),
    { rows, fives, isReproduced, hasSameOrder, swapped, found, compared, poolNote },
  );
  if (!isReproduced || !hasSameOrder) process.exitCode = 1;
}

function shown({
  recall_5,
  ndcg_cut_5,
}: {
  readonly recall_5: number;
  readonly ndcg_cut_5: number;
}): string {
  return `${recall_5.toFixed(3)} / ${ndcg_cut_5.toFixed(3)}`;
}

function signed(value: number | undefined): string {
  return value === undefined ? "?" : `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(3)}`;
}
