import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { apiKeysInClear } from "espalier/serve";
import { expect, test } from "vitest";
import { messageOf } from "../../../src/errors/index.ts";
import { pythonEnvironment } from "../../support/python/python-environment.ts";
import { say, testCacheFolder, UnavailableError } from "../../support/python/test-cache.ts";
import { apiKey, asked, expected, peculiarities, weather } from "./features.ts";
import { pythonClients } from "./python-clients.ts";
import { modelIds, servedPrograms, weatherIn } from "./served-programs.ts";

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

/** LiteLLM lists models, and retrieves none. */
const listed = { listed: [...modelIds], retrieved: null };

test("OpenAI's Python client and LiteLLM can do whatever a server can", async (context) => {
  const command = await python();
  if (command === null) return context.skip("no Python with the clients");
  await using served = await servedPrograms({ keys: apiKeysInClear(apiKey, "the test") });
  const given = { ...asked, weatherTool: weather, weatherIn, refusal: expected.toolsRefused };
  const { stdout } = await promisify(execFile)(
    command,
    [
      join(import.meta.dirname, "python_clients.py"),
      `${served.server.url}/v1`,
      apiKey,
      JSON.stringify(given),
    ],
    // LiteLLM would load its prices from the network.
    { env: { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: "True" } },
  );
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual(
    Object.fromEntries(
      pythonClients.map((name) => {
        const isListed = peculiarities[name]?.models === "listed";
        return [name, { ...expected, ...(isListed && { models: listed }) }] as const;
      }),
    ),
  );
});
