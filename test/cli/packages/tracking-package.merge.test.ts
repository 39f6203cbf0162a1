import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { vllmServer } from "../../support/vllm-server.ts";
import { withoutPackage } from "../../support/without-package.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

const study = "test/cli/fixtures/few-places.ts";
const url = "http://me:s3cret@127.0.0.1:9";
const env = withoutPackage("@espalier/tracking");
const search = ["optimize", study, "--rehearsal", "--budget", "100"];
const serve = ["serve", "test/cli/fixtures/towns-serving.ts", "--lm", "rehearsal", "--port", "0"];
const evaluate = ["eval", study, "--rehearsal", "--limit", "2"];

test.each([
  ["shows a search in MLflow", [...search, "--run", join(folder.path, "run"), "--mlflow", url]],
  ["shows an evaluation at an OTLP endpoint", [...evaluate, "--otlp", url]],
  ["shows a server's answers in MLflow", [...serve, "--mlflow", url]],
  ["takes a trainset of MLflow", [...evaluate, "--trainset", "mlflow:towns", "--mlflow", url]],
  ["takes prompts of MLflow", [...evaluate, "--candidate", "mlflow:prompts:/a@b", "--mlflow", url]],
  ["sends a run to MLflow", ["mlflow", "runs/none", "--url", url]],
  [
    "moves an alias in MLflow, before it moves the registry's",
    ["artifact", "promote", "nobody", "4e3098520ce9", "--mlflow", url, "--registry", folder.path],
  ],
])("a command that %s says which package to install", async (_, words) => {
  const { code, stdout, stderr } = await runCli(words, { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(
    "usage-invalid: Support for MLflow and OTLP is not installed: package `@espalier/tracking` is missing",
  );
  expect(stderr).toContain("npm install @espalier/tracking");
  expect(stderr).not.toContain("s3cret");
});

test("it asks no LM before", async () => {
  await using server = await vllmServer();
  const lm = ["--lm", server.baseUrl, "--model", "test-model"];
  const words = ["eval", study, ...lm, "--limit", "2", "--mlflow", url];
  expect(await runCli(words, { env })).toMatchObject({ code: 2, stdout: "" });
  expect(server.requests.filter(({ path }) => path.endsWith("/chat/completions"))).toEqual([]);
});

test("an endpoint that the environment alone names stops no command", async () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:9";
  const { code, stderr } = await runCli(evaluate, { env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT } });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain(
    "Nothing is sent to OTEL_EXPORTER_OTLP_ENDPOINT: package `@espalier/tracking` is not installed\n",
  );
});
