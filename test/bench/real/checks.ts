import { randomSource } from "../../../src/internal/index.ts";
import { mean } from "../../../src/statistics/index.ts";
import type { HeadroomRow, HeadroomVerdict } from "../../../src/cli/headroom/headroom-figures.ts";
import { headroomFigures } from "../../../src/cli/headroom/headroom-figures.ts";
import { signed, table } from "../../../scripts/docs/figures.ts";
import type { CellFigures } from "./cells.ts";
import { sameRun } from "./cells.ts";
import { comparedScores } from "./compared-scores.ts";
import { tasks } from "./tasks.ts";

/** What `espalier headroom` runs beside the declared program. */
const shown = ["labels-4", "labels-16", "nearest-8"];
/** Rows that it sees with 120 runs of four programs and half a repeat, and samples of them. */
const [sampleRows, samples] = [26, 200];

/**
 * What `headroom` would have said before each default search, beside what that gained: samples of
 * recorded rows of test in the place of val give the verdicts.
 */
export function headroomText(cells: readonly CellFigures[]): string {
  const rows = cells.flatMap((cell) => {
    const { model, task, seed, search, test } = cell;
    const scores = ["declared", ...shown].map((name) => sameRun(cells, cell, name)?.test);
    const [declared, ...candidates] = scores.filter((one) => one !== undefined);
    if (search !== "default" || declared === undefined || candidates.length < 2) return [];
    const at = (row: number): HeadroomRow => ({
      cluster: `${row}`,
      declared: declared[row] ?? 0,
      candidates: candidates.map((one) => one[row] ?? 0),
    });
    const verdicts = Array.from({ length: samples }, (_, sample) => {
      const random = randomSource(sample, `bench/real/headroom/${model}/${task}/${seed}`);
      return headroomFigures(random.sample([...test.keys()], sampleRows).map(at), {
        names: candidates.map((_, index) => `${index}`),
        testRows: test.length,
        seed: sample,
      }).verdict;
    });
    const counts = verdictNames.map((name) => `${verdicts.filter((one) => one === name).length}`);
    return [[model, `${task}, seed ${seed}`, signed(mean(test) - mean(declared)), ...counts]];
  });
  if (rows.length === 0) return "";
  const head = ["model", "run", "gain of the default", ...verdictNames];
  return `### Headroom, compared with the gain of the default\n\nFor each run of the default search, we drew ${sampleRows} recorded test rows, as many as 120 runs allow, ${samples} times. The table counts how often \`headroom\` then gives each verdict. A search is worth it if it gains at least .05.\n\n${table(head, rows)}`;
}

const verdictNames = [
  "worth it with demonstrations alone",
  "perhaps worth it",
  "not worth it",
] as const satisfies readonly HeadroomVerdict[];

/**
 * How often a claim is made where none is true: what two programs wrote on test is scored by labels
 * that are drawn at random, each as likely as any other, so that no program is better than another.
 */
export function placeboText(cells: readonly CellFigures[], claims = 200): string {
  const pairs = cells.flatMap((cell) => {
    const labels = Object.values(tasks.find(({ name }) => name === cell.task)?.outputs ?? {});
    const declared = sameRun(cells, cell, "declared");
    const [only] = labels.length === 1 ? labels : [];
    if (declared === undefined || only === undefined) return [];
    // Programs that write the same can make no claim.
    if (JSON.stringify(declared.said) === JSON.stringify(cell.said)) return [];
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
  return `Placebo: the outputs of the programs from ${pairs.length} runs were scored against labels drawn at random. Of ${claims} comparisons with the unoptimized program, ${count("better")} said "better" and ${count("worse")} "worse"; both together should be 10 of 200 or fewer.`;
}
