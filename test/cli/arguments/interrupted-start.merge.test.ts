import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { runMain } from "../../support/run-main.ts";
import { startCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

it("Ctrl-C says a word while a command still starts", async () => {
  const study = join(folder.path, "slow.mjs");
  await writeFile(
    study,
    'console.error("importing");\nawait new Promise((done) => setTimeout(done, 600_000));\n',
  );
  const command = startCli(["eval", study, "--rehearsal"]);
  await command.saw("importing");
  command.interrupt();
  const { code, stderr } = await command.ended;
  expect(code).toBe(130);
  expect(stderr).toContain("Interrupted during start-up: no work had begun.");
});

it("a folder with a run is refused before the plan", async () => {
  const run = join(folder.path, "run");
  const words = ["optimize", "test/cli/fixtures/few-places.ts", "--budget", "14", "--run", run];
  expect(await runMain(words)).toMatchObject({ code: 0 });
  const listeners = process.listenerCount("SIGINT");
  const { code, stderr } = await runMain(words);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^espalier: journal-mismatch: The folder already holds a run/);
  expect(process.listenerCount("SIGINT")).toBe(listeners);
});
