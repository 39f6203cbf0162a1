import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRegistry } from "espalier/artifact";
import { openFeedback, openServeState } from "espalier/serve";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LoadedModules } from "../support/loaded-modules.ts";
import { loadedModules, watchedModules } from "../support/loaded-modules.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const towns = "test/cli/fixtures/towns.ts";
const folder = await temporaryFolder();
const [{ version: hanrag } = { version: "" }] = await openRegistry("artifacts").list("hanrag");
afterAll(() => folder[Symbol.asyncDispose]());
const place = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  openFeedback({ path: place("feedback.sqlite"), isMade: true })[Symbol.dispose]();
  openServeState(place("state.sqlite"))[Symbol.dispose]();
  await writeFile(place("corpus.jsonl"), '{"id":"1","text":"A river."}\n');
  const made = await Promise.all([
    runCli([
      "eval",
      towns,
      "--limit",
      "2",
      "--out",
      place("result.json"),
      "--artifact",
      place("artifact.json"),
    ]),
    runCli([
      "optimize",
      "test/cli/fixtures/few-places.ts",
      "--budget",
      "14",
      "--run",
      place("run"),
    ]),
  ]);
  for (const { code, stderr } of made) if (code !== 0) throw new Error(stderr);
});

test.each<[what: string, ...words: string[]]>([
  ["artifact list", "artifact", "list"],
  ["artifact show", "artifact", "show", "hanrag", hanrag],
  ["artifact verify", "artifact", "verify", "hanrag"],
  ["show ARTIFACT", "show", place("artifact.json")],
  ["show RESULT", "show", place("result.json")],
  ["show RUN", "show", place("run")],
  ["feedback summary", "feedback", "summary", place("feedback.sqlite")],
  ["rollout show", "rollout", "show", "--state", folder.path],
  ["corpus build", "corpus", "build", place("corpus.jsonl"), "--out", place("corpus.sqlite")],
  [
    "split",
    "split",
    place("corpus.jsonl"),
    "--labels",
    "text",
    "--to",
    folder.path,
    "--shares",
    "0,0,1",
  ],
  ["doctor --help", "doctor", "--help"],
  ["eval --help", "eval", "--help"],
  ["run --help", "run", "--help"],
  ["optimize --help", "optimize", "--help"],
  ["experiment --help", "experiment", "--help"],
  ["mlflow --help", "mlflow", "--help"],
])("%s loads nothing that renders prompts, reaches a model, or serves", async (_what, ...words) => {
  const { code, packages } = await loadedBy(words);
  expect(code).toBe(0);
  expect(packages).toContain("citty");
  for (const heavy of ["@ax-llm/ax", "openai", "hono"]) expect(packages).not.toContain(heavy);
});

test.each<[what: string, ...words: string[]]>([
  ["show RUN", "show", place("run")],
  ["feedback summary", "feedback", "summary", place("feedback.sqlite")],
  ["rollout show", "rollout", "show", "--state", folder.path],
])("%s reads its own files without schemas", async (_what, ...words) => {
  expect((await loadedBy(words)).packages).not.toContain("zod");
});

test("a program is run without the client of a server where no server is asked", async () => {
  const { code, packages } = await loadedBy(["eval", towns, "--limit", "1"]);
  expect(code).toBe(0);
  expect(packages).toContain("@ax-llm/ax");
  expect(packages).not.toContain("openai");
});

test("a command that asks a server does not load the embedded mock", async () => {
  const { code, folders } = await loadedBy(["doctor", "--lm", "http://127.0.0.1:1/v1"]);
  expect(code).toBe(3);
  expect(folders).toContain("lm");
  expect(folders).not.toContain("rehearsal");
});

test.each(["artifact", "evaluate", "optimizer", "serve"])(
  "the door to the files of %s hands out nothing that the other does not",
  async (part) => {
    const doors = [`../../src/${part}/files.ts`, `../../src/${part}/index.ts`];
    const [files, whole] = (await Promise.all(doors.map((door) => import(door)))) as [
      object,
      object,
    ];
    expect(Object.keys(files)).not.toEqual([]);
    expect(whole).toMatchObject(files);
  },
);

interface Loaded extends Pick<CliResult, "code">, LoadedModules {}

/** Runs the command line and sees what its process loads. */
async function loadedBy(words: readonly string[]): Promise<Loaded> {
  const { code, stderr } = await runCli(words, { env: watchedModules });
  return { code, ...loadedModules(stderr) };
}
