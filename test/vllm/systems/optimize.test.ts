import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { readArtifact } from "espalier/artifact";
import { test } from "../support/vllm-test.ts";
import { readOutput } from "./support/read-output.ts";
import { workplace } from "./support/workplace.ts";

/** A study of each system; of those that a judge scores, each, since they wire the most parts. */
const studies: readonly (readonly [name: string, asked: readonly string[]])[] = [
  ["hanrag", ["student", "reflection"]],
  ["notes-guided", ["student", "reflection", "embedding", "reranking"]],
  ["notes-guided-harmonic-mean", ["student", "judge", "embedding", "reranking"]],
  ["ails-ntua-harmonic-mean", ["student", "judge", "reranking"]],
  ["r2rag", ["student", "reflection", "reranking"]],
];

const printed = z.object({
  mocks: z.tuple([]),
  rehearsal: z.literal(false),
  ledger: z.object({ byRole: z.record(z.string(), z.unknown()) }),
  spent: z.object({ metricCalls: z.number().max(10) }),
});

test.for(studies)(
  "%s is optimized with every part real, and neither run nor artifact names a mock",
  async ([name, asked], { systems, embedder, reranker }) => {
    await using place = await workplace({ lm: systems, embedder, reranker });
    const study = resolve(import.meta.dirname, `studies/${name}.ts`);
    const result = await place.cli("optimize", study, "--budget=10", "--run=run", "--json");
    const shown = await place.cli("show", "run");
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("LM tiny-qwen3") });
    expect(`${result.stderr}${shown.stdout}`).not.toMatch(/stand-?in|rehears/i);
    const artifact = join(place.path, "run/artifact.json");
    if (result.code === 3) {
      // A judge of random weights may say nothing of an example.
      expect(result.stderr).toMatch(/coverage-too-low|too many test examples remained unscored/);
      expect(existsSync(artifact)).toBe(false);
      return;
    }
    expect(result).toMatchObject({ code: 0 });
    const { text, json } = readOutput(result);
    expect(text).not.toMatch(/stand-?in|rehears/i);
    const { ledger } = printed.parse(json);
    expect(Object.keys(ledger.byRole)).toEqual(expect.arrayContaining([...asked]));
    const { compiled, run } = await readArtifact(artifact);
    expect(compiled.lm).toEqual({ provider: "vllm", model: systems.model });
    expect(run).toMatchObject({ isRehearsal: false });
    expect(await readFile(artifact, "utf8")).not.toMatch(/mocks|"rehearsal"/);
  },
);
