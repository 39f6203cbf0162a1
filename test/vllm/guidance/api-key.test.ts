import { expect } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { lmAt, request } from "../support/ask.ts";
import { apiKey } from "../support/server-kinds.ts";
import { test } from "../support/vllm-test.ts";

test("a wrong key is told from other refusals, and is not shown", async ({ guidance }) => {
  await using lm = lmAt({ ...guidance, apiKey: "wrong-key" });
  const error = await thrownBy(() => lm.doGenerate(request("Hello?")));
  expect(error.code).toBe("lm-unauthorized");
  expect(error.message).toContain("apiKey");
  expect(error.message).not.toContain("wrong-key");
});

test("the command line takes the key from the environment", async ({ guidance }) => {
  await using folder = await temporaryFolder();
  const doctor = (key: string) =>
    runCli(["doctor", "--lm", guidance.baseUrl, "--model", guidance.model], {
      cwd: folder.path,
      env: { ESPALIER_API_KEY: key },
    });
  expect(await doctor("wrong-key")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("lm-unauthorized") as string,
  });
  expect((await doctor(apiKey)).code).toBe(0);
});

test("on the command line, a wrong key is said to come from the environment", async ({
  guidance,
}) => {
  const { stderr } = await runCli(["doctor", "--lm", guidance.baseUrl], {
    env: { ESPALIER_API_KEY: "wrong-key" },
  });
  expect(stderr).toContain("ESPALIER_API_KEY");
});
