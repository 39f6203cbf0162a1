import { dirname, relative, resolve, sep } from "node:path";
import type { Artifact } from "./artifact.ts";
import { artifactFormat, isModuleSpecifier } from "./artifact.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { contentHash, deepFreeze, parseJson, exactOptional } from "../../internal/index.ts";
import { readNamedFile, writeFileAtomic } from "../../storage/index.ts";
import { z } from "zod";
import { componentSchema, predictorKinds } from "../../program/files.ts";

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
  const problem = `The artifact "${path}" cannot be read`;
  const content = await readNamedFile(path, maxBytes, { problem });
  return artifactIn(content, path);
}

/**
 * Reads an artifact from its JSON, wherever that was stored.
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
    fix: "Use the espalier version that wrote it, or recreate it with `espalier eval STUDY --artifact FILE`",
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

const json = z.json();
const jsonObject = z.record(z.string(), json);
const hash = z.string().regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits");
const named = z.strictObject({ name: z.string(), version: z.string() });
const interval = z.strictObject({ low: z.number(), high: z.number() });
const part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("image"), url: z.string() }),
  z.strictObject({
    type: z.literal("file"),
    url: z.string(),
    mediaType: z.string(),
    name: exactOptional(z.string()),
  }),
]);
const message = z.strictObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.union([z.string(), z.array(part)]),
  toolCalls: exactOptional(
    z.array(z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() })),
  ),
  toolCallId: exactOptional(z.string()),
});

const when = exactOptional(z.record(z.string(), z.union([z.string(), z.number()])));
const parameter = z.union([
  z.strictObject({
    kind: z.enum(["int", "real"]),
    default: z.number(),
    min: z.number(),
    max: z.number(),
    isLogScale: z.boolean(),
    weighs: exactOptional(
      z.strictObject({ predictor: z.string(), field: z.string(), label: z.string() }),
    ),
    when,
  }),
  z.strictObject({
    kind: z.literal("choice"),
    default: z.string(),
    options: z.array(z.string()),
    when,
  }),
]);

// Shapes are compared only by hash, so their kinds are not repeated here.
const field = z.strictObject({
  name: z.string(),
  description: z.string(),
  shape: z.looseObject({ kind: z.string() }),
  isOptional: z.boolean(),
  refinements: z.array(z.string()),
});
const predictor = z.strictObject({
  kind: z.enum(predictorKinds),
  driver: z.string(),
  settings: z.looseObject({
    sampling: jsonObject,
    corrections: z.union([z.literal(0), z.literal(1)]),
  }),
  signature: z.strictObject({
    name: z.string(),
    hash,
    instructionHash: hash,
    instruction: exactOptional(z.string()),
    fieldFormat: z.int(),
    fields: z.strictObject({ input: z.array(field), output: z.array(field) }),
    fieldHashes: z.record(z.string(), hash),
  }),
});

const ids = exactOptional(z.array(z.string()));
const score = z.strictObject({
  split: z.enum(["train", "val", "test"]),
  metric: named,
  value: z.number().nullable(),
  interval: interval.nullable(),
  objective: z.enum(["mean", "aggregate"]),
  objectives: z.record(z.string(), z.number()),
  counts: z.strictObject({
    scored: z.int(),
    notApplicable: z.int(),
    unscored: z.int(),
    formatFailures: z.int(),
  }),
  coverage: z.number().min(0).max(1),
  clusters: z.int(),
  seed: z.int(),
  repetitions: z.int(),
});

/**
 * Checks an artifact. The compiled part must be understood completely, so an unknown key there is
 * an error; lineage, optimizer and `run` may contain keys that this version does not know.
 */
const artifactSchema: z.ZodType = z.strictObject({
  format: z.literal(`espalier-artifact/${artifactFormat}`),
  hash,
  compiled: z.strictObject({
    format: z.literal(artifactFormat),
    program: z.strictObject({
      name: z.string(),
      version: z.string(),
      module: exactOptional(
        z.string().refine(isModuleSpecifier, "expected a package or a relative path"),
      ),
    }),
    components: z.array(componentSchema({ isStrict: true })),
    parameters: z.record(z.string(), parameter),
    predictors: z.record(z.string(), predictor),
    promptLayout: z.int(),
    lm: z.strictObject({ provider: z.string(), model: z.string() }),
    metric: named.nullable(),
    dataset: z
      .strictObject({
        name: z.string(),
        version: exactOptional(z.string()),
        licence: exactOptional(z.string()),
        checksum: hash,
        splits: z.strictObject({ train: ids, val: ids, test: ids }),
      })
      .nullable(),
    optimizer: z.object({ name: z.string(), seed: z.int() }).catchall(json).nullable(),
    scores: z.array(score),
    lineage: z.array(z.object({ id: z.string(), parents: z.array(z.string()) }).catchall(json)),
    samples: z.record(
      z.string(),
      z.array(
        z.strictObject({
          inputs: jsonObject,
          vector: exactOptional(z.string()),
          messages: z.array(message),
        }),
      ),
    ),
  }),
  run: jsonObject,
} satisfies Record<keyof Artifact, z.ZodType>);

/** The study's path as a module specifier relative to the artifact, identical on every machine. */
export function moduleFrom(artifactPath: string, studyPath: string): string {
  const path = relative(dirname(resolve(artifactPath)), resolve(studyPath))
    .split(sep)
    .join("/");
  return path.startsWith("../") ? path : `./${path}`;
}
