/**
 * Runs a bench, or takes the output of an earlier run, and writes its block of the lab book.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { refuse, scriptOptions } from "../support/script-options.ts";
import { benchTables } from "./bench-tables.ts";
import { labBook } from "./markdown.ts";
import { withBlock } from "./with-block.ts";

/** The bench of a block that shows a part of what it can measure, and what it is asked for. */
const partOf: Readonly<Record<string, readonly [bench: string, ...words: readonly string[]]>> = {
  optimizers: ["optimizers", "--parts", "shapes"],
  levers: ["optimizers", "--parts", "levers"],
};
const help = {
  command: "npm run docs:bench",
  about: `Runs a bench and writes its block in ${labBook}: ${Object.keys(benchTables).join(", ")}.`,
  positionals: "NAME",
  options: {
    from: { about: "Use the --json output of an earlier run instead of running it", value: "FILE" },
  },
};
const { values, positionals } = scriptOptions<"from">(help);
const [name = ""] = positionals;
const tableOf = Object.hasOwn(benchTables, name) ? benchTables[name] : undefined;
if (tableOf === undefined || positionals.length > 1) {
  refuse(
    `Expected one of ${Object.keys(benchTables).join(", ")}, got "${positionals.join(" ")}".`,
    help,
  );
}
const output = values.from === undefined ? await run(name) : readFileSync(values.from, "utf8");
const figures = output.split("\n").findLast((line) => line.startsWith("{"));
if (figures === undefined)
  refuse("The output contains no line of JSON: run the bench with --json.", help);
const content = tableOf(JSON.parse(figures));
writeFileSync(labBook, withBlock(readFileSync(labBook, "utf8"), `bench:${name}`, content));

async function run(block: string): Promise<string> {
  const [bench, ...asked] = partOf[block] ?? [block];
  const words = ["run", "--silent", `bench:${bench}`, "--", "--json", ...asked];
  const child = spawn("npm", words, { stdio: ["ignore", "pipe", "inherit"] });
  const [stdout, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve) => child.on("close", resolve)),
  ]);
  if (code === 0) return stdout;
  console.error(stdout);
  return refuse(`npm run bench:${bench} exited with ${code}; the lab book is unchanged.`, help);
}
