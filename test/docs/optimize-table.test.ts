import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

test("docs/benchmarks.md's table of npm run optimize has both figures of every trainset", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/benchmarks.md"), "utf8");
  const [, table = ""] = /<!-- optimize: .*? -->(.*?)<!-- \/optimize -->/s.exec(page) ?? [];
  const rows = table.split("\n").filter((line) => /^\| .* \| [\d,]+ \| /.test(line));
  const figures = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  const names = ["four shelves", "MuSiQue", "2WikiMultiHopQA", "MTRAG, pooled"];
  expect(figures.map(([, name, , metric]) => [name, metric])).toEqual(
    names.flatMap((name) => [
      [name, "`recall_10`"],
      [name, "`ndcg_cut_5`"],
    ]),
  );
});
