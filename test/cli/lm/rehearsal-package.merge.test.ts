import { expect, test } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { withoutPackage } from "../../support/without-package.ts";

const towns = "test/cli/fixtures/towns.ts";
const env = withoutPackage("@espalier/rehearsal");

test.each([
  ["eval", towns],
  ["run", towns, "--input", '{"question":"Where?","passages":[]}'],
  ["optimize", "test/cli/fixtures/few-places.ts", "--budget", "14"],
  ["doctor", "--lm", "rehearsal"],
])("%s says what to install where the rehearsal LM is not", async (...words) => {
  const { code, stdout, stderr } = await runCli(words, { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("The rehearsal LM is not installed");
  expect(stderr).toContain("Name a server with --lm URL");
  expect(stderr).toContain("npm install --save-dev @espalier/rehearsal");
});

test("a server that is named needs no rehearsal LM", async () => {
  const { code, stderr } = await runCli(["eval", towns, "--lm", "http://127.0.0.1:1/v1"], { env });
  expect(code).toBe(3);
  expect(stderr).not.toContain("@espalier/rehearsal");
});
