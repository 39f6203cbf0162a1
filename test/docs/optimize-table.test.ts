import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { labBook } from "../../scripts/docs/markdown.ts";

test("the lab book has both figures of the main job for every trainset", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../..", labBook), "utf8");
  const [, section = ""] = /\n## The main job\n(.*?)\n## /s.exec(page) ?? [];
  const rows = section.split("\n").filter((line) => /^\| [^|]* \| [\d,]+ \| /.test(line));
  const figures = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  const names = ["four shelves", "MuSiQue", "2WikiMultiHopQA", "MTRAG, pooled"];
  expect(figures.map(([, name, , metric]) => [name, metric])).toEqual(
    names.flatMap((name) => [
      [name, "`recall_10`"],
      [name, "`ndcg_cut_5`"],
    ]),
  );
});
