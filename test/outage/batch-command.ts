import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OutageSetup } from "./outage-setup.ts";
import type { ResumableCommand } from "./resumable-command.ts";
import { servedModel, servingFile } from "./served-model.ts";

/** `espalier batch`, repeated with its file of results. */
export async function batchCommand({
  folder,
  questions,
}: Pick<OutageSetup, "folder" | "questions">): Promise<ResumableCommand> {
  const input = join(folder, "questions.jsonl");
  const rows = questions.map((question, id) => ({ id, input: { question } }));
  await writeFile(input, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const options = { model: servedModel, input, out: "answers.jsonl", cache: "none" };
  const words = [
    "batch",
    servingFile,
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  ];
  return {
    name: "batch",
    words,
    wordsToResume: words,
    partsIn: async (cwd) => ({ answers: await answersIn(cwd) }),
    leftovers: async (cwd, undisturbed) => {
      const known = new Set(undisturbed["answers"] as readonly string[]);
      const others = (await answersIn(cwd)).filter((line) => !known.has(line));
      if (others.length === 0) return [];
      return [`lines that are not the undisturbed ones: ${others.join("").slice(0, 200)}`];
    },
  };
}

async function answersIn(cwd: string): Promise<readonly string[]> {
  const content = await readFile(join(cwd, "answers.jsonl"), "utf8");
  return content.split("\n").slice(0, -1);
}
