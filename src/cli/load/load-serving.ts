import { EspalierError } from "../../errors/index.ts";
import { contentHash } from "../../internal/index.ts";
import type { ChatModel, Serving } from "../../serve/index.ts";
import { chatModel, isServing, serving } from "../../serve/index.ts";
import type { Parts } from "../../servers/index.ts";
import type { Study } from "../../study/index.ts";
import { isStudy } from "../../study/index.ts";
import { artifactOf } from "./file-format.ts";
import { withCandidate } from "./candidate-file.ts";
import type { TunableProgram } from "../../program/index.ts";
import { isProgram, loadDefault } from "./load-default.ts";
import { loadProgram } from "./load-program.ts";

/**
 * Loads what to serve: a file that default-exports a serving, a study or a program, or a function
 * that makes one of parts, or an artifact. A program alone is served under its name. All programs
 * have the embedder that the servers file names, unless they have one: a version in the
 * registry may choose demonstrations by it.
 */
export async function loadServing(given: string, source: ServingSource): Promise<Serving> {
  const { parts } = source;
  const path = artifactOf(given);
  const declared = path.endsWith(".json")
    ? await servingOfArtifact(path, source)
    : await servingOfModule(path, parts);
  const loaded = await withCandidateIn(declared, source);
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
  /** File of components that replace those of the one model, or of the one that is chosen. */
  readonly candidate?: string | undefined;
  /** The chosen model, with or without a version. */
  readonly chosen?: string;
  /** The registry, whose versions have components of their own. */
  readonly artifacts?: string | undefined;
}

async function withCandidateIn(
  declared: Serving,
  { candidate, chosen, artifacts }: ServingSource,
): Promise<Serving> {
  if (candidate === undefined) return declared;
  const { models } = declared;
  const ids = models.map(({ id }) => id);
  const id = chosen?.split("@")[0] ?? (ids.length === 1 ? ids[0] : undefined);
  if (artifacts !== undefined || id === undefined) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "It is unclear which program the candidate is for",
      where: "--candidate",
      ...(artifacts === undefined
        ? { expected: "a serving with one model", got: ids.join(", ") }
        : { expected: "--candidate or --artifacts", got: "both" }),
    });
  }
  const replaced = async (model: ChatModel): Promise<ChatModel> => {
    if (model.id !== id) return model;
    const program = await withCandidate(model.program, candidate);
    const { artifact: _, madeAt: _made, ...parts } = model;
    // Answers and results must not pass for those of the program as declared.
    return { ...parts, program, version: contentHash(program.components()).slice(0, 12) };
  };
  return {
    ...declared,
    models: await Promise.all(models.map((model) => replaced(model))),
  };
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
  const guard = (value: unknown): value is Serving | Study | TunableProgram =>
    isServing(value) || isStudy(value) || isProgram(value);
  const found = await loadDefault(path, "serving", { guard, parts, takesProgram: true });
  if (isServing(found)) return found;
  const program = isStudy(found) ? found.program : found;
  try {
    return serving({ name: found.name, models: [chatModel({ id: program.name, program })] });
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.code !== "field-unrepresentable") throw error;
    throw new EspalierError({
      code: "serving-invalid",
      problem: `The program of "${found.name}" cannot be served as it is: ${error.message}`,
      where: path,
      fix: "Declare `serving({ name, models: [chatModel({ id, program, inputOf, answerOf })] })`",
      cause: error,
    });
  }
}
