import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { LmMessage, Tool, Trace } from "espalier";
import { agent, choice, int, program, real, signature, text, tool } from "espalier";
import { compileArtifact, loadArtifact, readArtifact, writeArtifact } from "espalier/artifact";
import { rehearsalLm } from "@espalier/rehearsal";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import { candidate, compileGuide, questions, travelGuide } from "./travel-guide.ts";

const artifact = await compileGuide();

const price = tool({
  name: "price",
  description: "Looks up a price.",
  input: { thing: text("its name") },
  output: z.number(),
  run: ({ thing }) => thing.length,
});

/** An agent alone. */
function clerk(options: { readonly tools?: readonly Tool[]; readonly clientTools?: boolean } = {}) {
  const answer = signature({
    name: "answer",
    instruction: "Answer from the price list.",
    input: { question: text("question") },
    output: { answer: text("answer") },
  });
  return program({
    name: "clerk",
    version: "1",
    input: answer.input,
    output: answer.output,
    predictors: { answer: agent({ signature: answer, tools: [price], ...options }) },
    forward: async ({ question }, { predictors }) => predictors.answer({ question }),
  });
}

describe("an artifact that is written, read and loaded", () => {
  it("is a program with the same components, prompts and outputs", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "guides", "towns.json");
    await writeArtifact(path, artifact);
    const loaded = loadArtifact(await readArtifact(path), travelGuide());
    const before = travelGuide().with(candidate);

    expect(loaded.components()).toEqual(before.components());
    expect(loaded.parameterValues).toEqual({ hops: 3, tone: "plain" });
    for (const { id: exampleId, input } of questions.slice(0, 10)) {
      const options = { lm: rehearsalLm(), seed: 4, exampleId };
      const [one, other] = [
        await before.attempt(input, options),
        await loaded.attempt(input, options),
      ];
      expect(requestsIn(other.trace)).toEqual(requestsIn(one.trace));
      expect(other).toMatchObject({ state: "completed", output: await before.run(input, options) });
    }
  });

  it("is loaded by its path or as JSON, with the program's own types", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "clerk.json");
    const { lm } = artifact.compiled;
    await writeArtifact(path, compileArtifact({ program: clerk(), lm, samples: {} }));
    const json = JSON.parse(await readFile(path, "utf8")) as { compiled: { promptLayout: number } };
    const loaded: ReturnType<typeof clerk> = await loadArtifact(path, clerk());
    expectTypeOf(loaded.predictors).toHaveProperty("answer");
    expect(loadArtifact(json, clerk()).components()).toEqual(loaded.components());
    // @ts-expect-error -- the program takes a question
    const { state } = await loaded.attempt({ query: "ink" }, { lm: rehearsalLm() });
    expect(state).toBe("failed");
    json.compiled.promptLayout += 1;
    expect(() => loadArtifact(json, clerk())).toThrow(/does not match its hash/);
    expect(() => loadArtifact(Object.freeze(json), clerk())).toThrow(/does not match its hash/);
    // @ts-expect-error -- the reading is not awaited
    expect(() => loadArtifact(readArtifact(path), clerk())).toThrow(/is not an artifact/);
    await expect(loadArtifact(`${path}.old`, clerk())).rejects.toThrow(/cannot be read/);
  });

  it("is the value that was compiled, and is written to the same bytes again", async () => {
    await using folder = await temporaryFolder();
    const [first, second] = [join(folder.path, "1.json"), join(folder.path, "2.json")];
    await writeArtifact(first, artifact);
    const read = await readArtifact(first);
    expect(read).toEqual(artifact);
    await writeArtifact(second, read);
    expect(await readFile(second, "utf8")).toBe(await readFile(first, "utf8"));
  });

  it("holds agents, with the settings they were compiled with", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "clerk.json");
    const { lm } = artifact.compiled;
    const before = clerk();
    const samples = { answer: [{ question: "What is tin?" }] };
    await writeArtifact(path, compileArtifact({ program: before, lm, samples }));
    const loaded = loadArtifact(await readArtifact(path), clerk());
    expect(loaded.components()).toEqual(before.components());
    expect(loaded.predictors["answer"]?.kind).toBe("agent");
  });

  it("holds whether an agent takes tools of who asks, where it does", () => {
    const { lm } = artifact.compiled;
    const samples = { answer: [{ question: "What is tin?" }] };
    const open = { tools: [], clientTools: true };
    const held = compileArtifact({ program: clerk(open), lm, samples });
    expect(held.compiled.predictors["answer"]?.settings.agent).toEqual({
      maxSteps: 8,
      maxToolCalls: 32,
      calls: "native",
      tools: {},
      clientTools: true,
    });
    expect(loadArtifact(held, clerk(open)).components()).toEqual(clerk(open).components());
    expect(() => loadArtifact(held, clerk())).toThrow(/agent\.clientTools/);
  });

  it("keeps when a parameter matters", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "guide.json");
    const parameters = {
      hops: int({ default: 1, min: 1, max: 5 }),
      tone: choice(["plain", "formal"], { when: { hops: 3 } }),
      share: real({ default: 0, min: 0, max: 1, when: { hops: 3, tone: "formal" } }),
    };
    const { lm } = artifact.compiled;
    const program = travelGuide({ parameters });
    await writeArtifact(path, compileArtifact({ program, lm, samples: {} }));
    const { compiled } = await readArtifact(path);
    expect(compiled.parameters).toEqual(parameters);
    expect(compiled.parameters["share"]?.when).toEqual({ hops: 3, tone: "formal" });
  });

  it("keeps the order of keys in inputs and demonstrations, which is part of the prompt", () => {
    const [sample] = artifact.compiled.samples["judge"] ?? [];
    expect(Object.keys(sample?.inputs["traveller"] as object)).toEqual(["name", "age"]);
    expect(sample?.messages.at(-1)?.content).toContain('{"name":"Ada","age":36}');
  });
});

describe("an artifact", () => {
  it("records at most three inputs of each predictor, with the messages that were sent for them", async () => {
    const { samples } = artifact.compiled;
    expect(Object.entries(samples).map(([name, { length }]) => [name, length])).toEqual([
      ["answer", 3],
      ["judge", 3],
    ]);
    const traces = await Promise.all(
      questions.map(({ id: exampleId, input }) =>
        travelGuide().with(candidate).attempt(input, { lm: rehearsalLm(), exampleId }),
      ),
    );
    const sent = new Set(
      traces.flatMap(({ trace }) => requestsIn(trace).map((messages) => JSON.stringify(messages))),
    );
    for (const { messages } of Object.values(samples).flat()) {
      expect(sent).toContain(JSON.stringify(messages));
    }
  });

  it("holds all components, whether or not the candidate names them", () => {
    expect(artifact.compiled.components).toEqual(travelGuide().with(candidate).components());
    expect(artifact.compiled.parameters).toEqual(travelGuide().parameters);
  });

  it("says what it was measured on and with", () => {
    const { lm, metric, dataset, scores, optimizer, lineage } = artifact.compiled;
    expect({ lm, metric, optimizer, lineage }).toEqual({
      lm: { provider: "rehearsal", model: "rehearsal" },
      metric: { name: "token_f1", version: "1" },
      optimizer: null,
      lineage: [],
    });
    expect(dataset).toMatchObject({ name: "towns", licence: "CC0-1.0" });
    expect(dataset?.splits).toEqual({ val: questions.map(({ id }) => id) });
    expect(scores).toMatchObject([
      { split: "val", counts: { scored: 20, unscored: 0 }, coverage: 1, clusters: 20 },
    ]);
    expect(scores[0]?.interval?.low).toBeLessThanOrEqual(scores[0]?.value ?? Number.NaN);
  });

  it("takes an optimizer and a lineage with whatever they say of themselves", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "a.json");
    const optimizer = { name: "gepa", seed: 7, minibatch: 3 };
    const lineage = [
      { id: "c0", parents: [] },
      { id: "c4", parents: ["c0"], proposedBy: "reflection" },
    ];
    await writeArtifact(path, await compileGuide({ optimizer, lineage }));
    expect((await readArtifact(path)).compiled).toMatchObject({ optimizer, lineage });
  });

  it("cannot be changed", () => {
    expect(() => Object.assign(artifact.compiled.components[0] ?? {}, { value: "x" })).toThrow(
      TypeError,
    );
  });

  it("refuses what JSON cannot represent, samples that do not fit, unknown components, and this machine's paths", async () => {
    const [score] = artifact.compiled.scores;
    const lm = { provider: "p", model: "m" };
    const program = travelGuide();
    const failures = [
      { samples: {}, scores: score === undefined ? [] : [{ ...score, value: Number.NaN }] },
      { samples: { judge: [{ question: 3 }] } },
      { samples: { nobody: [{}] } },
      { samples: {}, module: "file:///home/someone/guide.ts" },
      { samples: {}, candidate: [{ kind: "parameter", path: "hops", value: 9 }] as const },
    ];
    const errors = failures.map((parts) =>
      thrownBy(() => compileArtifact({ program, lm, ...parts })).then(({ code }) => code),
    );
    expect(await Promise.all(errors)).toEqual([
      "artifact-invalid",
      "input-invalid",
      "component-unknown",
      "artifact-invalid",
      "parameter-invalid",
    ]);
  });
});

function requestsIn(trace: Trace): readonly (readonly LmMessage[])[] {
  return trace.children.flatMap((node) =>
    node.kind === "predictor" ? node.calls.map(({ messages }) => messages) : [],
  );
}
