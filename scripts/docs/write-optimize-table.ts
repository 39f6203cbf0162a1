/**
 * Runs `npm run optimize` on each trainset and writes its table into the lab book. Figures are
 * stored: what was interrupted goes on where it was, and what depends on a source that has
 * changed runs again.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { mtragTogether } from "../../optimizers/support/mtrag-data.ts";
import { multiHopData } from "../../optimizers/support/multi-hop-data.ts";
import { runStore } from "../support/run-store.ts";
import { sourceHash } from "../support/source-hash.ts";
import { fourShelvesPassages } from "../../trainsets/four-shelves/index.ts";
import { refuse, scriptOptions } from "../support/script-options.ts";
import { labBook } from "./markdown.ts";
import type { MeasuredTrainset, TestFigure } from "./optimize-table.ts";
import { optimizeTable } from "./optimize-table.ts";
import { withBlock } from "./with-block.ts";

const help = {
  command: "npm run docs:optimize",
  about: `Runs \`npm run optimize\` on each trainset and writes its table into ${labBook}. Takes a quarter of an hour per seed.`,
  options: {
    "mtrag-dir": { about: "Folder of MTRAG", value: "DIR" },
    "multihop-dir": { about: "Folder of MuSiQue and 2WikiMultiHopQA", value: "DIR" },
    seeds: { about: "Searches per trainset, with seeds from 0", value: "N", preset: "3" },
  },
};
const { values } = scriptOptions(help);
const [mtrag, multiHop] = [values["mtrag-dir"], values["multihop-dir"]];
if (mtrag === undefined || multiHop === undefined) {
  refuse("The table has rows for all trainsets: pass both folders.", help);
}
const seeds = Number(values.seeds);
process.env["ESPALIER_MTRAG_DIR"] = mtrag;
process.env["ESPALIER_MULTIHOP_DIR"] = multiHop;

const searched = {
  "four shelves": { words: ["--rehearsal"], passages: (await fourShelvesPassages()).length },
  MuSiQue: { words: ["--trainset", "musique"], passages: await multiHopPassages("musique") },
  "2WikiMultiHopQA": {
    words: ["--trainset", "2wikimultihopqa"],
    passages: await multiHopPassages("2wikimultihopqa"),
  },
  "MTRAG, pooled": {
    words: ["--trainset", "mtrag-together"],
    passages: (await mtragTogether()).corpus.passages.length,
  },
};
const store = runStore<readonly TestFigure[]>(".espalier/bench/optimize.jsonl");
const version = sourceHash(["src", "programs", "optimizers", "signatures", "trainsets"]);
const trainsets: MeasuredTrainset[] = [];
for (const [name, { words, passages }] of Object.entries(searched)) {
  const searches: (readonly TestFigure[])[] = [];
  for (let seed = 0; seed < seeds; seed += 1) {
    searches.push(await figuresOf([...words, "--seed", String(seed)]));
  }
  trainsets.push({ name, passages, searches });
}
writeFileSync(
  labBook,
  withBlock(readFileSync(labBook, "utf8"), "optimize", optimizeTable(trainsets)),
);

async function multiHopPassages(set: "musique" | "2wikimultihopqa"): Promise<number> {
  return (await multiHopData(set)).corpus.passages.length;
}

async function figuresOf(words: readonly string[]): Promise<readonly TestFigure[]> {
  const key = [version, ...words].join(" ");
  const known = store.get(key);
  if (known !== undefined) return known;
  const child = spawn("npm", ["run", "--silent", "optimize", "--", "--json", ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stdout = await text(child.stdout);
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  const { test } = JSON.parse(last) as {
    readonly test: TestFigure & { readonly objectives: readonly TestFigure[] };
  };
  const figures = [test, ...test.objectives];
  store.add({ key, figures });
  return figures;
}
