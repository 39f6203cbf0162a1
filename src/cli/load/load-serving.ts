import { EspalierError } from "../../errors/index.ts";
import type { Serving } from "../../serve/index.ts";
import { chatModel, isServing, serving } from "../../serve/index.ts";
import type { Parts } from "../../servers/index.ts";
import type { Study } from "../../study/index.ts";
import { isStudy } from "../../study/index.ts";
import { loadDefault } from "./load-default.ts";
import { loadProgram } from "./load-program.ts";

/**
 * Loads what to serve: a file that default-exports a serving or a study, or a function that makes
 * one of parts, or an artifact. A study's program, or an artifact's, is served under its name. All
 * programs have the embedder that the servers file names, unless they have one: a version in the
 * registry may choose demonstrations by it.
 */
export async function loadServing(path: string, source: ServingSource): Promise<Serving> {
  const { parts } = source;
  const loaded = path.endsWith(".json")
    ? await servingOfArtifact(path, source)
    : await servingOfModule(path, parts);
  if (!parts.has("embedder")) return loaded;
  return {
    ...loaded,
    models: loaded.models.map((model) =>
      model.program.embedder === null
        ? { ...model, program: model.program.withEmbedder(parts.embedder()) }
        : model,
    ),
  };
}

export interface ServingSource {
  readonly parts: Parts;
  /** Overrides the module that an artifact names. */
  readonly study?: string | undefined;
  /** Whether an artifact may name a module outside its project, or a package. */
  readonly "trust-module"?: boolean;
}

async function servingOfArtifact(path: string, source: ServingSource): Promise<Serving> {
  const { program, artifact } = await loadProgram(path, { "trust-module": false, ...source });
  const { name } = program;
  return serving({
    name,
    models: [chatModel({ id: name, program, ...(artifact !== undefined && { artifact }) })],
  });
}

async function servingOfModule(path: string, parts: Parts): Promise<Serving> {
  const guard = (value: unknown): value is Serving | Study => isServing(value) || isStudy(value);
  const found = await loadDefault(path, "serving", { guard, parts });
  if (isServing(found)) return found;
  const { name, program } = found;
  try {
    return serving({ name, models: [chatModel({ id: program.name, program })] });
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.code !== "field-unrepresentable") throw error;
    throw new EspalierError({
      code: "serving-invalid",
      problem: `The program of the study "${name}" cannot be served as it is: ${error.message}`,
      where: path,
      fix: "Declare `serving({ name, models: [chatModel({ id, program, inputOf, answerOf })] })`",
      cause: error,
    });
  }
}
