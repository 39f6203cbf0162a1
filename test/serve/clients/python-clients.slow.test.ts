import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { messageOf } from "../../../src/errors/index.ts";
import { pythonEnvironment } from "../../support/python/python-environment.ts";
import { say, testCacheFolder, UnavailableError } from "../../support/python/test-cache.ts";
import { extracted, servedPrograms } from "./served-programs.ts";

/** `null` without Python or the packages, which fails in continuous integration. */
async function python(): Promise<string | null> {
  try {
    return await pythonEnvironment(testCacheFolder(), {
      requirementsFile: join(import.meta.dirname, "requirements.txt"),
      what: { name: "OpenAI's Python client and LiteLLM", cost: "400 MB on disk, some minutes" },
    });
  } catch (error) {
    if (!(error instanceof UnavailableError) || process.env["CI"] === "true") throw error;
    say(`SKIPPED, Python's clients: ${messageOf(error)}`);
    return null;
  }
}

test("OpenAI's Python client and LiteLLM get answers, streams, objects and refusals", async (context) => {
  const command = await python();
  if (command === null) return context.skip("no Python with the clients");
  await using served = await servedPrograms();
  const { stdout } = await promisify(execFile)(
    command,
    [join(import.meta.dirname, "python_clients.py"), `${served.server.url}/v1`],
    // LiteLLM would load its prices from the network.
    { env: { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: "True" } },
  );
  const answer = "There, at the river [1].";
  const { vendor, total } = extracted;
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual({
    models: ["towns/answerer", "at-once", "invoices", "comparer"],
    model: "towns/answerer",
    chat: answer,
    streamedChat: { text: answer, tokens: 30 },
    response: answer,
    streamedResponse: { text: answer, whole: answer },
    parsedChat: { vendor, total },
    parsedResponse: { vendor, total },
    refused: { status: 400, code: "unsupported_parameter", param: "tools" },
    liteLlm: answer,
    liteLlmStream: answer,
    liteLlmResponse: answer,
    liteLlmTokens: 30,
  });
});
