import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OutageSetup } from "./outage-setup.ts";
import type { ResumableCommand } from "./resumable-command.ts";

/** `espalier eval`, repeated with its reply cache. */
export function evalCommand({ study }: Pick<OutageSetup, "study">): ResumableCommand {
  const words = ["eval", study, "--out", "result.json"];
  return {
    name: "eval",
    words,
    wordsToResume: words,
    partsIn: async (cwd) => {
      const { rows, seconds: _, ...figures } = await evaluationIn(cwd);
      return { figures, rows: rows.map(withoutTimes) };
    },
    leftovers: async (cwd, undisturbed, { gaveUp }) => {
      // A stopped evaluation leaves its replies in the cache, and no result.
      if (gaveUp) return existsSync(resultPath(cwd)) ? ["a result"] : [];
      const known = new Set((undisturbed["rows"] as readonly object[]).map(inWords));
      const { rows } = await evaluationIn(cwd);
      const others = rows.filter((row) => !known.has(inWords(withoutTimes(row))));
      if (others.length === 0) return [];
      const ids = others.map(({ exampleId }) => exampleId).join(", ");
      return [`rows that are not the undisturbed ones: ${ids}`];
    },
  };
}

interface Row {
  readonly exampleId: string;
  readonly score: object;
  readonly output?: object;
  readonly failure?: object;
}

interface Evaluation {
  readonly rows: readonly Row[];
  readonly seconds: number;
}

function resultPath(cwd: string): string {
  return join(cwd, "result.json");
}

async function evaluationIn(cwd: string): Promise<Evaluation> {
  const result = JSON.parse(await readFile(resultPath(cwd), "utf8")) as { evaluation: Evaluation };
  return result.evaluation;
}

function withoutTimes({ exampleId, score, output, failure }: Row): Row {
  return { exampleId, score, ...(output && { output }), ...(failure && { failure }) };
}

function inWords(row: object): string {
  return JSON.stringify(row);
}
