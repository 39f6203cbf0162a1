/** Writes MTRAG's submission format from a result of `espalier eval --out`. */
import { writeFileAtomic } from "../src/storage/index.ts";
import { readEvaluation } from "../src/cli/eval/evaluation-file.ts";
import { mtragSubmission, subtasks } from "../trainsets/mtrag/submission.ts";
import { refuse, scriptOptions } from "./support/script-options.ts";

const required = "RESULT --subtask A|B|C --out FILE.jsonl";
const help = {
  command: "npm run mtrag:submission --",
  about: `Writes the prediction file that MTRAG's format checker and scoring scripts read, from a result of \`espalier eval --out\`.\nRequires ${required}. ESPALIER_MTRAG_DIR names the folder of the tasks.`,
  positionals: "RESULT",
  options: {
    subtask: {
      about: "A: retrieval; B: answers from given passages; C: both",
      value: subtasks.join("|"),
    },
    out: { about: "File to write", value: "FILE.jsonl" },
  },
};
const {
  values: { subtask: letter, out },
  positionals: [result, ...others],
} = scriptOptions(help);
const subtask = subtasks.find((each) => each === letter?.toUpperCase());
const folder = process.env["ESPALIER_MTRAG_DIR"];
if (result === undefined || others.length > 0 || subtask === undefined || out === undefined) {
  refuse(`Expected: ${required}.`, help);
}
if (!out.endsWith(".jsonl")) refuse(`The format checker expects a .jsonl file. Got: ${out}.`, help);
if (folder === undefined) refuse("ESPALIER_MTRAG_DIR is not set.", help);

try {
  const { evaluation } = await readEvaluation(result);
  const { rows, missing } = await mtragSubmission({ folder, subtask, runs: evaluation.rows });
  await writeFileAtomic(out, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const left = missing === 0 ? "" : `; ${missing} tasks have no result, and are left out`;
  console.log(`${rows.length} predictions in ${out}${left}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
