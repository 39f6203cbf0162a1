import { randomSource } from "../../../src/internal/index.ts";
import { mean } from "../../../src/statistics/index.ts";
import type { HeadroomRow } from "../../../src/cli/headroom/headroom-figures.ts";
import { headroomFigures } from "../../../src/cli/headroom/headroom-figures.ts";
import { share, table } from "../../../scripts/docs/figures.ts";
import type { CellFigures } from "./cells.ts";
import { sameRun } from "./cells.ts";
import { comparedScores } from "./compared-scores.ts";
import { tasks } from "./tasks.ts";

/** What `espalier headroom` runs beside the declared program. */
const shown = ["labels-4", "labels-16", "nearest-8"];
/** Rows that it sees with 120 runs of four programs and half a repeat, and samples of them. */
const [sampleRows, samples] = [26, 200];
/** The gain from which a search was worth it. */
const worthIt = 0.05;

/**
 * What `headroom` would have said before the default search, against what that gained: samples of
 * recorded rows of test give the verdict, the other rows the gain.
 */
export function headroomText(cells: readonly CellFigures[]): string {
  const found = new Map<string, [gained: number, not: number]>();
  const searched = cells.filter(({ search }) => search === "default");
  for (const cell of searched) {
    const { model, task, seed } = cell;
    const of = (search: string) => sameRun(cells, cell, search)?.test;
    const names = shown.filter((name) => of(name) !== undefined);
    const declared = of("declared");
    if (declared === undefined || names.length === 0) continue;
    const at = (row: number): HeadroomRow => ({
      cluster: `${row}`,
      declared: declared[row] ?? 0,
      candidates: names.map((name) => of(name)?.[row] ?? 0),
    });
    const gains = cell.test.map((value, row) => value - (declared[row] ?? 0));
    for (let sample = 0; sample < samples; sample++) {
      const random = randomSource(sample, `bench/real/headroom/${model}/${task}/${seed}`);
      const places = random.shuffle([...gains.keys()]);
      const { verdict } = headroomFigures(places.slice(0, sampleRows).map(at), {
        names,
        testRows: cell.test.length,
        seed: sample,
      });
      const gain = mean(places.slice(sampleRows).map((row) => gains[row] ?? 0));
      const counts = found.get(verdict) ?? [0, 0];
      counts[gain >= worthIt ? 0 : 1]++;
      found.set(verdict, counts);
    }
  }
  if (found.size === 0) return "";
  const rows = [...found].map(([verdict, [gained, not]]) => [verdict, `${gained}`, `${not}`]);
  const head = ["`headroom` says", `the default gains ${share(worthIt)} or more`, "less"];
  return `### Headroom, against what the default gained\n\n${samples} samples of ${sampleRows} recorded rows of test for each of ${searched.length} runs give the verdict, the other rows the gain.\n\n${table(head, rows.toSorted())}`;
}

/**
 * How often a claim is made where none is true: what two programs wrote on test is scored by labels
 * that are drawn at random, each as likely as any other, so that no program is better than another.
 */
export function placeboText(cells: readonly CellFigures[], claims = 200): string {
  const pairs = cells.flatMap((cell) => {
    const labels = Object.values(tasks.find(({ name }) => name === cell.task)?.outputs ?? {});
    const declared = sameRun(cells, cell, "declared");
    const [only] = labels.length === 1 ? labels : [];
    if (declared === undefined || declared === cell || only === undefined) return [];
    return [{ before: declared.said, after: cell.said, labels: only.labels }];
  });
  if (pairs.length === 0) return "";
  const verdicts = Array.from({ length: claims }, (_, claim) => {
    const pair = pairs[claim % pairs.length] ?? pairs[0];
    if (pair === undefined) throw new Error("There is no pair.");
    const random = randomSource(claim, "bench/real/placebo");
    const golds = pair.before.map(() => random.choice(pair.labels));
    const scores = (said: CellFigures["said"]) =>
      golds.map((gold, row) => (said[row]?.[0] === gold ? 1 : 0));
    return comparedScores([{ seed: 0, before: scores(pair.before), after: scores(pair.after) }])
      .verdict;
  });
  const count = (verdict: string) => verdicts.filter((one) => one === verdict).length;
  return `Placebo: what the programs of ${pairs.length} runs wrote was scored by labels drawn at random. Of ${claims} comparisons with the declared program ${count("better")} said "better" and ${count("worse")} "worse".`;
}
