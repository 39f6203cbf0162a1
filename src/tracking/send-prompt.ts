import { EspalierError } from "../errors/index.ts";
import { isObject, sha256 } from "../internal/index.ts";
import { required } from "./mlflow-runs.ts";
import type { MlflowServer } from "./mlflow-server.ts";
import { fitsPrompt, promptName } from "./server-limits.ts";
import type { TrackedPrompt } from "./tracked-run.ts";

const registry = "/api/2.0/mlflow";
const isPrompt = { key: "mlflow.prompt.is_prompt", value: "true" };
const hashTag = "espalier.content-hash";

/**
 * Registers a prompt, unless its newest version with the same hash exists, and moves the alias to
 * it. A prompt longer than the server takes is left out.
 *
 * @throws EspalierError `tracking-conflict` if the server's text is not the one that was registered
 */
export async function sendPrompt(
  server: MlflowServer,
  { name: given, text, alias }: TrackedPrompt,
  runId: string,
): Promise<void> {
  if (!fitsPrompt(text)) return;
  const name = promptName(given);
  const hash = sha256(text);
  const known = await versionsOf(server, name);
  const held = known.find(({ tags }) => tags[hashTag] === hash);
  if (held !== undefined && held.tags["mlflow.prompt.text"] !== text) {
    throw new EspalierError({
      code: "tracking-conflict",
      problem: `Version ${held.version} of the prompt \`${name}\` was overwritten on the server`,
      where: server.url,
      expected: `a text with the hash ${hash.slice(0, 12)}, as its tag \`${hashTag}\` says`,
      got: `one with the hash ${sha256(held.tags["mlflow.prompt.text"] ?? "").slice(0, 12)}`,
      fix: "Restore its text, or delete that version and send again.",
    });
  }
  const version = held?.version ?? (await register(server, { name, text, hash, runId }));
  const body = { name, alias, version };
  await required(server, `${registry}/registered-models/alias`, body);
}

async function register(
  server: MlflowServer,
  { name, text, hash, runId }: Readonly<Record<"name" | "text" | "hash" | "runId", string>>,
): Promise<string> {
  const query = { name };
  const path = `${registry}/registered-models/get`;
  if ((await server.ask({ method: "GET", path, query })) === null) {
    await required(server, `${registry}/registered-models/create`, { name, tags: [isPrompt] });
  }
  const made = await required(server, `${registry}/model-versions/create`, {
    name,
    source: "prompt-template",
    tags: [
      isPrompt,
      { key: "mlflow.prompt.text", value: text },
      { key: "_mlflow_prompt_type", value: "text" },
      { key: hashTag, value: hash },
      { key: "mlflow.prompt.associatedRunIds", value: runId },
    ],
  });
  return readVersion(made["model_version"]).version;
}

interface PromptVersion {
  readonly version: string;
  readonly tags: Readonly<Record<string, string>>;
}

async function versionsOf(server: MlflowServer, name: string): Promise<readonly PromptVersion[]> {
  // Without the tag in the filter, the server leaves out prompts.
  const filter = `name='${name}' AND tags.\`${isPrompt.key}\` = 'true'`;
  const query = { filter, max_results: "1000" };
  const path = `${registry}/model-versions/search`;
  const found = await server.ask({ method: "GET", path, query });
  const versions = found?.["model_versions"];
  return Array.isArray(versions) ? versions.map(readVersion) : [];
}

function readVersion(value: unknown): PromptVersion {
  const { version = "", tags } = isObject(value) ? (value as Record<string, unknown>) : {};
  const list = Array.isArray(tags) ? (tags as readonly { key: string; value: string }[]) : [];
  return {
    version: String(version),
    tags: Object.fromEntries(list.map(({ key, value: held }) => [key, held])),
  };
}
