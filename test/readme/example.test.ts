import { mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { serveRehearsal } from "@espalier/rehearsal";
import { readmeExample, writeReadmeExample } from "../support/readme-example.ts";
import { runMain } from "../support/run-main.ts";

const repository = resolve(import.meta.dirname, "../..");

it("the README's program is at most 25 lines, and runs as it stands against a server", async () => {
  const code = readmeExample();
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(25);
  // Inside the repository, so that the package name means this tree.
  const folder = await mkdtemp(join(repository, ".tmp-readme-"));
  try {
    writeReadmeExample(folder, 50);
    await using server = await serveRehearsal();
    const args = ["eval", "answerer.ts", "--lm", `${server.url}/v1`, "--json"];
    const { code: status, stdout, stderr } = await runMain(args, { cwd: folder });
    expect({ status, stderr: stderr.includes("espalier:") }).toEqual({ status: 0, stderr: false });
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      study: "answerer",
      rehearsal: true,
      counts: { scored: 50 },
    });
    const plan = [
      "optimize",
      "answerer.ts",
      "--lm",
      `${server.url}/v1`,
      "--budget",
      "500",
      "--plan",
    ];
    const planned = await runMain(plan, { cwd: folder });
    expect({ status: planned.code, stderr: planned.stderr.includes("espalier:") }).toEqual({
      status: 0,
      stderr: false,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
