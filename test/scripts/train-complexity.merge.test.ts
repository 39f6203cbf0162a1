import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { readComplexityModel } from "../../programs/r2rag/index.ts";
import { readHeldOut } from "../../trainsets/complexity-questions.ts";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const repository = resolve(import.meta.dirname, "../..");
const experiment = resolve("optimizers/experiments/r2rag-complexity.ts");

async function train(...words: readonly string[]) {
  return promisify(execFile)(
    process.execPath,
    ["--conditions=espalier:source", "--import", "tsx", "scripts/train-complexity.ts", ...words],
    { cwd: repository },
  );
}

afterEach(() => void vi.unstubAllEnvs());

test("a classifier trained by the command stands beside the LM in the experiment, on the questions held out", async () => {
  await using folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const towns = Array.from({ length: 60 }, (_, index) => `town ${index}`);
  const tsv = (text: (town: string) => string) =>
    towns.map((town, index) => `${index}\t${text(town)}\n`).join("");
  await writeFile(
    at("simple.tsv"),
    tsv((town) => `Where is ${town}?`),
  );
  await writeFile(
    at("complex.tsv"),
    tsv((town) => `How and why did ${town} grow, and what did its people gain by it?`),
  );
  const servers = { format: "espalier-servers/1", lms: {}, embedder: "rehearsal" };
  await writeFile(at("servers.json"), JSON.stringify(servers));
  const { stdout } = await train(
    `--simple=${at("simple.tsv")}`,
    `--complex=${at("complex.tsv")}`,
    `--servers=${at("servers.json")}`,
    `--out=${at("out")}`,
  );
  const heldOut = await readHeldOut(at("out/held-out.jsonl"));
  const model = readComplexityModel(JSON.parse(await readFile(at("out/model.json"), "utf8")));
  expect(model.training.examples).toBe(120 - heldOut.length);
  // The two kinds differ in every count, so a classifier that learned anything is always right.
  expect(stdout).toContain(`Held out: 1.000 `);
  expect(stdout).toContain(`${heldOut.length} of ${heldOut.length} right; a constant answer: `);

  vi.stubEnv("ESPALIER_COMPLEXITY_DIR", at("out"));
  const run = at("run");
  const ended = await runMain([
    "experiment",
    experiment,
    "--rehearsal",
    "--trainset=held-out",
    `--run=${run}`,
  ]);
  expect(ended.code).toBe(0);
  const table = await readFile(join(run, "table.md"), "utf8");
  expect(table).toContain("| logistic-regression | accuracy | 1.0000 ");
});

test("without a folder, the experiment names the variable and the command", async () => {
  vi.stubEnv("ESPALIER_COMPLEXITY_DIR", "");
  const { code, stderr } = await runMain(["experiment", experiment, "--rehearsal"]);
  expect(code).not.toBe(0);
  expect(stderr).toContain("ESPALIER_COMPLEXITY_DIR is not set");
  expect(stderr).toContain("npm run train:complexity");
});

test("missing files are refused with the usage", async () => {
  await expect(train("--simple", "a.tsv", "--out", "b")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--complex is missing") as string,
  });
});
