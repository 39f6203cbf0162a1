import { afterAll, expect, test } from "vitest";
import { startCli } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

test("serves the studio until it is interrupted", async () => {
  const running = startCli(["studio", folder.path, "--port", "0", "--json"]);
  const { url } = JSON.parse(await running.printed("\n"));
  const listing = await (await fetch(`${url}/api/listing`)).json();
  expect(listing).toMatchObject({ folder: folder.path, runs: [], registries: [] });
  running.interrupt();
  expect((await running.ended).code).toBe(0);
});

test.each([
  [["studio", "FOLDER", "--host", "0.0.0.0"], "only this machine may reach it"],
  [["studio", "FOLDER/nowhere"], "There is no such folder"],
  [["studio", "FOLDER", "--state", "FOLDER/nowhere"], "There is no file for --state"],
  [["studio", "FOLDER", "--study", "FOLDER/none.ts"], 'No study file at "FOLDER/none.ts"'],
  [["studio", "FOLDER", "--port", "x"], "--port"],
] as const)("refuses %j", async (words, problem) => {
  const args = words.map((word) => word.replace("FOLDER", folder.path));
  const { code, stderr } = await runMain(args);
  expect(code).not.toBe(0);
  expect(stderr).toContain(problem.replace("FOLDER", folder.path));
});
