import type { Artifact, Registry } from "../../artifact/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { withArtifact } from "../model/chat-model.ts";
import { ApiError } from "../api-error/api-error.ts";

/**
 * Loads versions of models by any of their names.
 *
 * @returns a function that rejects with `artifact-drifted`, the errors of `checkArtifact` and of
 *   the registry, or an ApiError 404 if the version does not exist
 */
export function versionLoader({
  registry,
  checkArtifact,
}: {
  readonly registry: Registry | undefined;
  readonly checkArtifact: ((artifact: Artifact) => void) | undefined;
}): (model: ChatModel, name: string) => Promise<ChatModel> {
  const loaded = new Map<string, ChatModel>();
  return async (model, name) => {
    // A version never changes: one loaded under its full name is not read again.
    const known = loaded.get(`${model.id}@${name}`);
    if (known !== undefined) return known;
    if (registry === undefined) throw versionUnknown(model.id, name);
    const { artifact, version } = await registry.resolve(model.program.name, name);
    checkArtifact?.(artifact);
    const key = `${model.id}@${version}`;
    const now = loaded.get(key) ?? withArtifact(model, artifact);
    loaded.set(key, now);
    return now;
  };
}

export function versionUnknown(id: string, version: string): ApiError {
  const shown = version.slice(0, 40);
  const message = `The model \`${id}\` has no version \`${shown}\` that can be served.`;
  return new ApiError(404, "model_not_found", message, { param: "model" });
}
