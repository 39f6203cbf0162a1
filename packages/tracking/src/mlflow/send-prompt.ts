import type { Json } from "../../../../src/contract/index.ts";
import { EspalierError } from "../../../../src/errors/index.ts";
import { sha256 } from "../../../../src/internal/index.ts";
import type { TrackingServer } from "../server/tracking-server.ts";
import { textAt, valueAt } from "../tracked/value-at.ts";
import { foundOrMade, required, tagsIn } from "./mlflow-runs.ts";
import { fitsPrompt, promptName } from "./server-limits.ts";
import type { TrackedPrompt } from "../tracked/tracked-run.ts";

const registry = "/api/2.0/mlflow";
const isPrompt = { key: "mlflow.prompt.is_prompt", value: "true" };
const textTag = "mlflow.prompt.text";
const hashTag = "espalier.content-hash";

/**
 * Registers a prompt, unless its newest version with the same hash exists, and moves the alias to
 * it. A prompt longer than the server takes is left out.
 *
 * @throws EspalierError `tracking-conflict` if the server's text is not the one that was registered
 */
export async function sendPrompt(
  server: TrackingServer,
  { name: given, text, alias }: TrackedPrompt,
  runId = "",
): Promise<void> {
  if (!fitsPrompt(text)) return;
  const name = promptName(given);
  const hash = sha256(text);
  const { version } = await foundOrMade({
    find: async () => {
      const known = await promptVersions(server, name);
      const held = known.find(({ tags }) => tags[hashTag] === hash);
      if (held !== undefined) checkPrompt(server, name, held);
      return held;
    },
    make: () => register(server, { name, text, hash, runId }),
  });
  await movePromptAlias(server, { name, alias, version });
}

/** @throws EspalierError `tracking-conflict` if the text is not the one that was registered */
export function checkPrompt(
  { url }: TrackingServer,
  name: string,
  { version, tags }: PromptVersion,
): void {
  const [hash, text = ""] = [tags[hashTag], tags[textTag]];
  if (hash === undefined || sha256(text) === hash) return;
  throw new EspalierError({
    code: "tracking-conflict",
    problem: `Version ${version} of the prompt \`${name}\` was overwritten on the server`,
    where: url,
    expected: `a text with the hash ${hash.slice(0, 12)}, as recorded in its tag \`${hashTag}\``,
    got: `the hash ${sha256(text).slice(0, 12)}`,
    fix: "Restore its text, or delete that version and send again.",
  });
}

async function movePromptAlias(
  server: TrackingServer,
  body: { readonly name: string; readonly alias: string; readonly version: string },
): Promise<void> {
  await required(server, `${registry}/registered-models/alias`, body);
}

/** Nothing happens if there is no such alias. */
export async function clearPromptAlias(
  server: TrackingServer,
  { name, alias }: { readonly name: string; readonly alias: string },
): Promise<void> {
  const body = { name: promptName(name), alias };
  await server.ask({ method: "DELETE", path: `${registry}/registered-models/alias`, body });
}

async function register(
  server: TrackingServer,
  { name, text, hash, runId }: Readonly<Record<"name" | "text" | "hash" | "runId", string>>,
): Promise<PromptVersion> {
  const query = { name };
  const path = `${registry}/registered-models/get`;
  await foundOrMade({
    find: async () => (await server.ask({ method: "GET", path, query })) ?? undefined,
    make: () =>
      required(server, `${registry}/registered-models/create`, { name, tags: [isPrompt] }, true),
  });
  const body = {
    name,
    source: "prompt-template",
    tags: [
      isPrompt,
      { key: textTag, value: text },
      { key: "_mlflow_prompt_type", value: "text" },
      { key: hashTag, value: hash },
      ...(runId === "" ? [] : [{ key: "mlflow.prompt.associatedRunIds", value: runId }]),
    ],
  };
  const made = await required(server, `${registry}/model-versions/create`, body, true);
  return readPromptVersion(made["model_version"]);
}

export interface PromptVersion {
  readonly version: string;
  readonly tags: Readonly<Record<string, string>>;
}

async function promptVersions(
  server: TrackingServer,
  name: string,
): Promise<readonly PromptVersion[]> {
  // Without the tag in the filter, the server leaves out prompts.
  const filter = `name='${name}' AND tags.\`${isPrompt.key}\` = 'true'`;
  const query = { filter, max_results: "1000" };
  const path = `${registry}/model-versions/search`;
  const found = await server.ask({ method: "GET", path, query });
  const versions = found?.["model_versions"];
  return Array.isArray(versions) ? versions.map(readPromptVersion) : [];
}

export function readPromptVersion(value: Json | undefined): PromptVersion {
  return {
    version: textAt(value, "version"),
    tags: tagsIn(valueAt(value, "tags")),
  };
}
