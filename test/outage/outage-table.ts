import type { OutageRow } from "./outage-setup.ts";

/** A line for each outage, and one for each thing that does not hold. */
export function outageTable(rows: readonly OutageRow[]): string {
  const lines = [columns, ...rows.map(cellsOf)];
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((cells) => (cells[index] ?? "").length)),
  );
  const table = lines.map((cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const problems = rows.flatMap(({ command, patience, problems: found }) =>
    found.map((problem) => `${command}, patience ${patience} min: ${problem}`),
  );
  const verdict =
    problems.length === 0
      ? "Everything holds. The LM was the rehearsal LM."
      : `${problems.length} ${problems.length === 1 ? "thing does" : "things do"} not hold:`;
  return [...table, "", verdict, ...problems].join("\n");
}

const columns = ["command", "patience", "killed after", "away", "went", "same as without"];

function cellsOf(row: OutageRow): readonly string[] {
  return [
    row.command,
    `${row.patience} min`,
    `${row.killedAfter} of ${row.ofCalls} calls`,
    `${row.awaySeconds} s`,
    row.went,
    row.problems.length === 0 ? row.same.join(", ") : "NO",
  ];
}
