import type { z } from "zod";
import { artifactSchema } from "./artifact-schema.ts";
import type { Artifact } from "./artifact.ts";
import { artifactFormat } from "./artifact.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { contentHash, deepFreeze, parseJson } from "../../internal/index.ts";
import { readFileWithin, writeFileAtomic } from "../../storage/index.ts";

const maxBytes = 64 * 2 ** 20;
const recompile = "Restore the file, or recreate it with `espalier eval STUDY --artifact FILE`";

/**
 * Reads an artifact and checks its shape and its hash. Only loading checks whether a program still
 * matches it.
 *
 * @throws EspalierError `file-missing`, or `artifact-invalid` if the file is not an artifact, has
 * another format, or was changed after it was written
 */
export async function readArtifact(path: string): Promise<Artifact> {
  const content = await readFileWithin(path, maxBytes).catch((error: unknown) => {
    throw new EspalierError({
      code: "file-missing",
      problem: `The artifact "${path}" cannot be read`,
      got: messageOf(error),
      cause: error,
    });
  });
  return artifactIn(content, path);
}

/**
 * An artifact from its JSON, wherever that was kept.
 *
 * @throws EspalierError `artifact-invalid`
 */
export function artifactIn(content: string, path: string): Artifact {
  const value = parse(content, path);
  checkFormat(value, path);
  const { error } = artifactSchema.safeParse(value);
  if (error !== undefined) {
    throw new EspalierError({
      code: "artifact-invalid",
      problem: `The artifact is malformed: ${sentenceOf(error.issues[0])}`,
      where: path,
      fix: recompile,
    });
  }
  // The raw value, not the schema's output, which would change the order of keys.
  const artifact = value as Artifact;
  const hash = contentHash(artifact.compiled);
  if (hash === artifact.hash) return deepFreeze(artifact);
  throw new EspalierError({
    code: "artifact-invalid",
    problem: "The artifact was changed after it was written: its content does not match its hash",
    where: path,
    expected: shortHash(artifact.hash),
    got: shortHash(hash),
    fix: `${recompile}; put your own texts in a file and pass it with --candidate`,
  });
}

function parse(content: string, path: string): unknown {
  try {
    return parseJson(content);
  } catch (error) {
    throw new EspalierError({
      code: "artifact-invalid",
      problem: "The artifact is not JSON",
      where: path,
      got: messageOf(error),
      fix: recompile,
      cause: error,
    });
  }
}

function checkFormat(value: unknown, path: string): void {
  const expected = `"format": "espalier-artifact/${artifactFormat}"`;
  const format = typeof value === "object" && value !== null && "format" in value && value.format;
  const version = /^espalier-artifact\/(\d+)$/.exec(typeof format === "string" ? format : "")?.[1];
  if (version === undefined) {
    throw new EspalierError({
      code: "artifact-invalid",
      problem: "The file is not an artifact",
      where: path,
      expected,
      got: format === false ? "no format" : `"format": ${JSON.stringify(format)}`,
    });
  }
  if (Number(version) === artifactFormat) return;
  throw new EspalierError({
    code: "artifact-invalid",
    problem: "The artifact was written by another version of espalier",
    where: path,
    expected,
    got: `"format": "espalier-artifact/${version}"`,
    fix: "Use the espalier that wrote it, or recreate it with `espalier eval STUDY --artifact FILE`",
  });
}

function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  return issue === undefined ? "" : `\`${issue.path.map(String).join(".")}\`: ${issue.message}`;
}

function shortHash(hash: string): string {
  return hash.slice(0, 12);
}

/**
 * Writes an artifact atomically, formatted for line-by-line comparison. Keys keep their compiled
 * order: if an input contains an object, that order is part of the prompt. Unlike other files with
 * prompts, artifacts are meant to be shared.
 */
export async function writeArtifact(path: string, artifact: Artifact): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(artifact, null, 2)}\n`, { isShared: true });
}
