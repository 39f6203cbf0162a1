/**
 * Kills the LM's server at a random moment while `optimize`, `eval`, `batch` and `serve` work, and
 * starts it again: each must end as it does without an outage, or with 3 and end so once resumed,
 * and write nothing down that the absence caused. Fails if something does not hold.
 */
import { resolve } from "node:path";
import { refuse, scriptOptions } from "../../scripts/support/script-options.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fourShelvesQuestions } from "../../trainsets/four-shelves/index.ts";
import { checkOutages, outageCommands } from "./check-outages.ts";
import { outageTable } from "./outage-table.ts";

const help = {
  command: "npm run outage",
  about:
    "Kills the LM's server while commands work, restarts it, and compares with runs without an outage.",
  options: {
    minutes: { about: "Length of the outage", value: "MIN", preset: "5" },
    seed: { about: "Decides the moments of the kills", value: "N", preset: "0" },
    patience: {
      about:
        "Patience that outlasts the outage; defaults to twice its length, or a minute more than it",
      value: "MIN",
    },
    commands: {
      about: "Commands to interrupt, all at the same time",
      value: "NAMES",
      preset: Object.keys(outageCommands).join(","),
    },
    json: { about: "Print one line of JSON instead of the table" },
  },
};
const { values, flags } = scriptOptions(help);
const positive = (option: "minutes" | "patience", given: string): number => {
  const value = Number(given);
  if (Number.isFinite(value) && value > 0) return value;
  return refuse(`--${option} "${given}": expected a number above 0.`, help);
};
const minutes = positive("minutes", values.minutes ?? "");
const longPatience = positive(
  "patience",
  values.patience ?? String(minutes + Math.max(1, minutes)),
);
if (longPatience <= minutes) {
  refuse(`--patience ${longPatience}: expected more than the outage's ${minutes} minutes.`, help);
}
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) {
  refuse(`--seed "${values.seed ?? ""}": expected a whole number.`, help);
}
const commands = (values.commands ?? "").split(",");
const unknown = commands.find((name) => !Object.hasOwn(outageCommands, name));
if (unknown !== undefined) {
  const names = Object.keys(outageCommands).join(", ");
  refuse(`--commands "${unknown}": expected some of ${names}.`, help);
}

const { splits } = await fourShelvesQuestions();
await using folder = await temporaryFolder();
const rows = await checkOutages(commands, {
  folder: folder.path,
  outageMs: minutes * 60_000,
  longPatience,
  shortPatience: minutes / 10,
  servePatience: Math.min(0.1, minutes / 10),
  seed,
  latencyMs: 20,
  study: resolve("optimizers/hanrag.ts"),
  // Enough for some forty proposals after the seed's evaluation.
  budget: 150,
  questions: splits.test.map(({ input }) => input.question),
});
console.log(flags.has("json") ? JSON.stringify({ minutes, seed, rows }) : outageTable(rows));
if (rows.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
