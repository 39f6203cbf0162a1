import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asked } from "../../serve/served.ts";
import { runMain } from "../../support/run-main.ts";
import { serveCli } from "../../support/serve-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const serving = "test/cli/fixtures/towns-serving.ts";

test("neither serve nor batch answers without an LM that is named", async () => {
  await using folder = await temporaryFolder();
  const input = join(folder.path, "questions.jsonl");
  await writeFile(input, '{"id":"q1","input":{"question":"Where?"}}\n');
  const batch = ["--model", "towns", "--input", input, "--out", `${input}.out`];
  for (const words of [
    ["serve", serving, "--port", "0"],
    ["batch", serving, ...batch],
  ]) {
    const { code, stdout, stderr } = await runMain(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("No LM is given");
    expect(stderr).toContain("--lm URL");
    expect(stderr).toContain("--rehearsal");
  }
});

test("serve --lm rehearsal is asked for by name, and each answer says so", async () => {
  const server = await serveCli([serving, "--lm", "rehearsal"]);
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(asked("Where?", "towns")),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("x-espalier-lm")).toBe("rehearsal");
  expect(await response.json()).toMatchObject({ system_fingerprint: "rehearsal" });
  expect((await server.end()).stderr).toContain("rehearsal: figures from the rehearsal LM");
});
