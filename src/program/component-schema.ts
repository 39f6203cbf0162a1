import { z } from "zod";
import type { Component } from "../contract/index.ts";
import { exactOptional } from "../internal/index.ts";

/** A component in a file. Unknown keys are errors if `isStrict`, otherwise they are dropped. */
export function componentSchema({
  isStrict,
}: {
  readonly isStrict: boolean;
}): z.ZodType<Component> {
  const object = (isStrict ? z.strictObject : z.object) as typeof z.object;
  const json = z.record(z.string(), z.json());
  const demonstration = object({
    exampleId: z.string(),
    inputs: json,
    outputs: json,
    cluster: exactOptional(z.string()),
    score: exactOptional(z.number()),
    steps: exactOptional(
      z.array(
        object({
          thought: exactOptional(z.string()),
          calls: z.array(object({ tool: z.string(), input: json, result: z.string() })).min(1),
        }),
      ),
    ),
  });
  const vectors = object({
    embedder: object({ provider: z.string(), model: z.string() }),
    dimension: z.int().min(1),
    textsHash: z.string(),
    vectors: z.array(z.string()),
  });
  return z.discriminatedUnion("kind", [
    object({ kind: z.literal("instruction"), path: z.string(), value: z.string() }),
    object({
      kind: z.literal("demos"),
      path: z.string(),
      value: z.array(demonstration),
      nearest: exactOptional(
        object({
          k: z.int().min(1),
          by: z.union([z.literal("words"), vectors], {
            error:
              'expected "words", or vectors with their `embedder`, `dimension` and `textsHash`',
          }),
        }),
      ),
    }),
    object({ kind: z.literal("fieldDescription"), path: z.string(), value: z.string() }),
    object({ kind: z.literal("toolDescription"), path: z.string(), value: z.string() }),
    object({
      kind: z.literal("parameter"),
      path: z.string(),
      value: z.union([z.number(), z.string(), z.boolean()]),
    }),
  ]);
}
