import { mean, sampleVariance } from "../../../src/statistics/index.ts";
import type { CellFigures } from "./cells.ts";
import { bestPeer, meanTest, rowsOf } from "./table.ts";

const [width, left, right, top, rowHeight] = [760, 270, 40, 58, 34] as const;
const ink = "#1f2328";

/**
 * Scores on test as an SVG: a line for each model and task, with the program as declared, the best
 * peer's row there, and the default with its 95 % interval over rows of test.
 */
export function realPicture(cells: readonly CellFigures[]): string {
  const ours = cells.filter(({ search }) => search === "default");
  const lines = [...Map.groupBy(ours, ({ model, task }) => `${model}/${task}`).values()];
  const height = top + lines.length * rowHeight + 30;
  const bottom = height - 30;
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (score) =>
      `<line x1="${x(score)}" y1="${top - 8}" x2="${x(score)}" y2="${bottom}" stroke="#d0d7de"/>` +
      text(x(score), bottom + 18, score.toFixed(2), "middle"),
  );
  const rows = lines.map((runs, index) => rowOf(runs, cells, top + (index + 0.5) * rowHeight));
  const legend = [
    [declaredMark(left + 6, 18), text(left + 18, 22, "as declared")],
    [peerMark(left + 132, 18), text(left + 144, 22, "best DSPy row")],
    [ourMark(left + 302, 18), text(left + 314, 22, "espalier's default, 95 %")],
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Scores on test before and after a search">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...legend.flat(),
    text(x(0.5), 42, "mean score on test", "middle"),
    ...grid,
    ...rows.flat(),
    "</svg>\n",
  ].join("\n");
}

function rowOf(runs: readonly CellFigures[], cells: readonly CellFigures[], y: number) {
  const [{ model, task } = { model: "", task: "" }] = runs;
  const here = cells.filter((cell) => cell.model === model && cell.task === task);
  const named = rowsOf(here);
  const declared = named.find(({ name }) => name === "declared");
  const peer = bestPeer(named);
  // Rows of test are the same under each seed.
  const byRow = (runs[0]?.test ?? []).map((_, row) => mean(runs.map(({ test }) => test[row] ?? 0)));
  const score = mean(byRow);
  const error = 1.96 * Math.sqrt(sampleVariance(byRow) / byRow.length);
  const [low, high] = [Math.max(0, score - error), Math.min(1, score + error)];
  return [
    text(left - 14, y + 4, `${task}, ${model}`, "end"),
    `<line x1="${x(low)}" y1="${y}" x2="${x(high)}" y2="${y}" stroke="#1a7f37" stroke-width="2"/>`,
    ...(declared === undefined ? [] : [declaredMark(x(meanTest(declared.cells)), y)]),
    ...(peer === undefined ? [] : [peerMark(x(meanTest(peer.cells)), y)]),
    ourMark(x(score), y),
  ];
}

function x(score: number): number {
  return Number((left + score * (width - left - right)).toFixed(1));
}

function text(at: number, y: number, words: string, anchor = "start"): string {
  return `<text x="${at}" y="${y}" text-anchor="${anchor}" fill="${ink}">${words}</text>`;
}

function declaredMark(at: number, y: number): string {
  return `<circle cx="${at}" cy="${y}" r="5" fill="#ffffff" stroke="${ink}" stroke-width="1.5"/>`;
}

function peerMark(at: number, y: number): string {
  return `<path d="M${at} ${y - 6}l6 6-6 6-6-6z" fill="#bc4c00"/>`;
}

function ourMark(at: number, y: number): string {
  return `<circle cx="${at}" cy="${y}" r="5" fill="#1a7f37"/>`;
}
