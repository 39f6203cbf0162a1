import { mlflowCredentials } from "@espalier/tracking";
import { expect, test } from "vitest";
import { redisAddress } from "../../../src/cli/arguments/shared-arguments.ts";
import { runMain } from "../../support/run-main.ts";
import { vllmServer } from "../../support/vllm-server.ts";

test("an empty key in the environment is no key", async () => {
  await using server = await vllmServer();
  const env = { ESPALIER_API_KEY: "", OPENAI_API_KEY: "" };
  const words = ["doctor", "--lm", server.baseUrl, "--model", "test-model"];
  const { stderr } = await runMain(words, { env });
  expect(stderr).not.toContain("OPENAI_API_KEY");
  expect(server.requests.length).toBeGreaterThan(0);
  expect(server.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
});

test("an empty name, password or token of MLflow, and an empty address, are none", async () => {
  const none = { headers: {}, secrets: [] };
  expect(mlflowCredentials({ MLFLOW_TRACKING_TOKEN: "" })).toEqual(none);
  const user = { MLFLOW_TRACKING_USERNAME: "", MLFLOW_TRACKING_PASSWORD: "" };
  expect(mlflowCredentials({ ...user, MLFLOW_TRACKING_TOKEN: "t-1" })).toEqual({
    headers: { authorization: "Bearer t-1" },
    secrets: ["t-1"],
  });
  const { code, stderr } = await runMain(["mlflow", "runs/none"], {
    env: { MLFLOW_TRACKING_URI: "" },
  });
  expect(code).toBe(2);
  expect(stderr).toContain("--url URL, or MLFLOW_TRACKING_URI");
});

test("an empty password of Redis is none", async () => {
  const before = process.env["ESPALIER_REDIS_PASSWORD"];
  process.env["ESPALIER_REDIS_PASSWORD"] = "";
  expect(redisAddress("redis://127.0.0.1").password).toBeUndefined();
  if (before === undefined) delete process.env["ESPALIER_REDIS_PASSWORD"];
});
