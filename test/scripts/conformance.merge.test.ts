import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { conformanceChecks, runCheck } from "../../scripts/conformance/run-checks.ts";
import { sharedData } from "../support/shared-data.ts";

const repository = resolve(import.meta.dirname, "../..");
const folder = resolve(repository, "../shared/data");

describe("agrees with the reference", () => {
  for (const check of conformanceChecks.filter(({ isSlow }) => isSlow !== true)) {
    const absent = check.files.map(sharedData).find(({ isAbsent }) => isAbsent);
    test.skipIf(absent !== undefined)(`${check.name}${absent?.note ?? ""}`, async () => {
      expect(await runCheck(check, folder)).toMatchObject({ state: "agrees" });
    });
  }
});

test("every check has a name of its own", () => {
  const names = conformanceChecks.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

const evaluationData = sharedData("mtrag-eval");
test.skipIf(evaluationData.isAbsent)(
  `every reference file is looked at${evaluationData.note}`,
  async () => {
    const files = (await readdir(evaluationData.file)).filter((name) => name !== "README.md");
    const lookedAt = new Set(conformanceChecks.flatMap((check) => check.files));
    expect(files.filter((name) => !lookedAt.has(`mtrag-eval/${name}`))).toEqual([]);
  },
);

test("a check that does not hold differs, and so does one that looked at nothing", async () => {
  const check = { name: "made up", tolerance: "none", files: [] };
  const states = await Promise.all(
    [
      { passed: 1, total: 1 },
      { passed: 1, total: 2 },
      { passed: 0, total: 0 },
    ].map(
      async (agreement) => (await runCheck({ ...check, run: async () => agreement }, folder)).state,
    ),
  );
  expect(states).toEqual(["agrees", "differs", "differs"]);
});

test("the command fails where a reference is not found, and says which folder it looked in", async () => {
  const empty = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    const { code, stdout, stderr } = await conformance("--json", "--shared", empty);
    expect(code).toBe(1);
    const counts = JSON.parse(stdout) as Record<string, { passed: number; total: number }>;
    expect(Object.keys(counts)).toEqual(conformanceChecks.map(({ name }) => name));
    expect(counts["RB_agg: official function"]).toEqual({ passed: 0, total: 0 });
    expect(stderr).toContain(`are missing from ${join(empty, "data")}`);
  } finally {
    await rm(empty, { recursive: true });
  }
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function conformance(...given: readonly string[]): Promise<Ended> {
  const script = resolve(repository, "scripts/conformance.ts");
  const child = spawn(process.execPath, ["--conditions=espalier:source", script, ...given], {
    cwd: repository,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code, stdout, stderr }));
  });
}
