import { z } from "zod";
import { exactOptional } from "../../internal/index.ts";
import { componentSchema, predictorKinds } from "../../program/files.ts";
import type { Artifact } from "./artifact.ts";
import { artifactFormat } from "./artifact.ts";
import { isModuleSpecifier } from "./module-specifier.ts";

const json = z.json();
const jsonObject = z.record(z.string(), json);
const hash = z.string().regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits");
const named = z.strictObject({ name: z.string(), version: z.string() });
const interval = z.strictObject({ low: z.number(), high: z.number() });
const part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("image"), url: z.string() }),
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
export const artifactSchema: z.ZodType = z.strictObject({
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
        version: z.string(),
        licence: z.string(),
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
