import { EspalierError } from "../../../../src/errors/index.ts";
import type { TrackingServer } from "../server/tracking-server.ts";
import { checkPrompt, readPromptVersion } from "./send-prompt.ts";
import type { PromptVersion } from "./send-prompt.ts";

/** A version of a registered prompt: `prompts:/NAME/3`, or the one under an alias. */
export type PromptReference = { readonly name: string } & (
  | { readonly version: string }
  | { readonly alias: string }
);

export interface RegisteredPrompt {
  readonly name: string;
  readonly version: string;
  readonly text: string;
}

/** @throws EspalierError `usage-invalid` */
export function promptReference(uri: string): PromptReference {
  const found = /^prompts:\/(?<name>[\w.-]+)(?:\/(?<version>\d+)|@(?<alias>[\w.-]+))$/.exec(uri);
  const { name, version, alias } = found?.groups ?? {};
  if (name !== undefined && version !== undefined) return { name, version };
  if (name !== undefined && alias !== undefined) return { name, alias };
  throw new EspalierError({
    code: "usage-invalid",
    problem: "The reference to an MLflow prompt is invalid",
    expected: "prompts:/NAME@ALIAS or prompts:/NAME/VERSION",
    got: `"${uri}"`,
  });
}

/**
 * Reads a registered prompt, if it is a text, and the one that was registered.
 *
 * @returns `undefined` if there is no such prompt
 * @throws EspalierError `tracking-conflict` if the server's text was overwritten or is a chat,
 *   `tracking-failed`, `tracking-refused`
 */
export async function readPrompt(
  server: TrackingServer,
  reference: PromptReference,
): Promise<RegisteredPrompt | undefined> {
  const { name } = reference;
  const found = await versionOf(server, reference);
  if (found === undefined) return undefined;
  const { version, tags } = found;
  const { "mlflow.prompt.text": text, _mlflow_prompt_type: type = "text" } = tags;
  if (text === undefined || type !== "text") {
    throw new EspalierError({
      code: "tracking-conflict",
      problem: `Version ${version} of the prompt \`${name}\` is not a text prompt`,
      where: server.url,
      expected: "a prompt of type `text`",
      got: text === undefined ? "a model" : `a prompt of type \`${type}\``,
    });
  }
  checkPrompt(server, name, found);
  return { name, version, text };
}

async function versionOf(
  server: TrackingServer,
  reference: PromptReference,
): Promise<PromptVersion | undefined> {
  const registry = "/api/2.0/mlflow";
  const isAlias = "alias" in reference;
  const path = `${registry}/${isAlias ? "registered-models/alias" : "model-versions/get"}`;
  try {
    const found = await server.ask({ method: "GET", path, query: reference });
    return found === null ? undefined : readPromptVersion(found["model_version"]);
  } catch (error) {
    // An alias that does not exist is answered with 400.
    const isMissing = EspalierError.isInstance(error) && error.message.includes("not found");
    if (isMissing && error.code === "tracking-refused") return undefined;
    throw error;
  }
}
