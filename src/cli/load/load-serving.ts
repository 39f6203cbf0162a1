import type { Serving } from "../../serve/index.ts";
import { isServing } from "../../serve/index.ts";
import type { Parts } from "../../servers/index.ts";
import { loadDefault } from "./load-default.ts";

/**
 * Imports a file that default-exports a serving, or a function that makes one of parts. Its
 * programs have the embedder that the servers file names, unless they have one: a version in the
 * registry may choose demonstrations by it.
 */
export async function loadServing(path: string, parts: Parts): Promise<Serving> {
  const serving = await loadDefault(path, "serving", { guard: isServing, parts });
  if (!parts.has("embedder")) return serving;
  return {
    ...serving,
    models: serving.models.map((model) =>
      model.program.embedder === null
        ? { ...model, program: model.program.withEmbedder(parts.embedder()) }
        : model,
    ),
  };
}
