/** Writes HANRAG's five training sets for the Revelator (section 4.2) as chat messages. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { dataFolder } from "../optimizers/support/data-folder.ts";
import { writeFileAtomic } from "../src/storage/index.ts";
import { wordingOf } from "../trainsets/wording-of.ts";
import { decisions, decisionsOf } from "./revelator/labelled-decisions.ts";
import type { RevelatorRow } from "./revelator/revelator-rows.ts";
import { checkDisjoint, decisionSample, revelatorRow } from "./revelator/revelator-rows.ts";
import { trainingQuestions } from "./revelator/training-questions.ts";
import { refuse, scriptOptions } from "./support/script-options.ts";

const help = {
  command: "npm run revelator:rows",
  about: `Writes chat rows to fine-tune HANRAG's Revelator, one file per decision, from the training files in ESPALIER_MULTIHOP_DIR.\nRequires --out FOLDER. Val and test questions of the studies are left out; evaluate with the same ESPALIER_MULTIHOP_SAMPLE.`,
  options: {
    out: { about: "Folder to write", value: "FOLDER" },
    most: { about: "Most rows per decision and label", value: "N", preset: "50000" },
  },
};
const {
  values: { out, most: given },
} = scriptOptions(help);
if (out === undefined || out === "") refuse("--out is missing. Expected: --out FOLDER.", help);
const most = Number(given);
if (!Number.isSafeInteger(most) || most < 1) {
  refuse(`--most is not a whole number above 0. Got: ${given}.`, help);
}

try {
  const folder = dataFolder("ESPALIER_MULTIHOP_DIR", "a folder with training files of the sets");
  const { sets, heldOut, read } = await trainingQuestions(folder);
  const sample = decisionSample(most);
  let [shared, unreadable] = [0, 0];
  for await (const question of read()) {
    // A step's answer stands in the rows of its chain.
    const asked = [question, ...question.steps].map((each) => wordingOf(each.question));
    if (asked.some((wording) => heldOut.has(wording))) shared++;
    else for (const row of decisionsOf(question, question.taught)) sample.add(row);
  }
  const rows = sample.rows();
  checkDisjoint(rows, heldOut);
  await mkdir(out, { recursive: true });
  console.log(`From ${sets.join(", ")}, in ${out}:`);
  for (const decision of decisions) {
    const labelled = rows.filter((row) => row.decision === decision);
    const written: RevelatorRow[] = [];
    for (const each of labelled) {
      const row = await revelatorRow(each);
      if (row === undefined) unreadable++;
      else written.push(row);
    }
    const file = `${decision}.jsonl`;
    const lines = written.map((row) => `${JSON.stringify(row)}\n`).join("");
    await writeFileAtomic(join(out, file), lines);
    console.log(`  ${file}: ${written.length} rows`);
  }
  if (shared > 0)
    console.error(
      `${shared} questions, or steps of theirs, are also in val or test under another id, and are left out.`,
    );
  if (unreadable > 0)
    console.error(`${unreadable} rows break a limit of their predictor's fields.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
