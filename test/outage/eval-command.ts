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
      const { evaluation } = await resultIn(cwd);
      if (evaluation === undefined) throw new Error("The result is that of a stopped evaluation.");
      const { rows, seconds: _, ...figures } = evaluation;
      return { figures, rows: rows.map(withoutTimes) };
    },
    leftovers: async (cwd, undisturbed) => {
      const { evaluation, rows = evaluation?.rows ?? [] } = await resultIn(cwd);
      const known = new Set((undisturbed["rows"] as readonly object[]).map(inWords));
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

/** A stopped evaluation has only rows. */
interface Result {
  readonly evaluation?: { readonly rows: readonly Row[]; readonly seconds: number };
  readonly rows?: readonly Row[];
}

async function resultIn(cwd: string): Promise<Result> {
  return JSON.parse(await readFile(join(cwd, "result.json"), "utf8")) as Result;
}

function withoutTimes({ exampleId, score, output, failure }: Row): Row {
  return { exampleId, score, ...(output && { output }), ...(failure && { failure }) };
}

function inWords(row: object): string {
  return JSON.stringify(row);
}
