import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Candidate, Demonstration, Embedder, Example, Program } from "espalier";
import { embedDemonstrations, predict, program, signature, text } from "espalier";
import type { Artifact } from "espalier/artifact";
import {
  compileArtifact,
  loadArtifact,
  plainMessages,
  programDrift,
  readArtifact,
  recordedInputs,
  recordedVectors,
  writeArtifact,
} from "espalier/artifact";
import { evaluate } from "espalier/evaluate";
import { metric, scored } from "espalier/metric";
import { rehearsalEmbedder, rehearsalLm } from "@espalier/rehearsal";
import { contentHash } from "../../src/internal/index.ts";
import { artifactText } from "../../src/cli/artifact/artifact-text.ts";
import { componentChanges } from "../../src/cli/terminal/component-changes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const answer = signature({
  name: "answer",
  instruction: "Answer the question.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});
const answerer = (): Program<any, any> =>
  program({
    name: "answerer",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer") },
    predictors: { answer: predict(answer) },
    forward: async ({ question }, { predictors }) => predictors.answer({ question }),
  });

const things = ["copper", "a red fox", "an owl", "a harbour", "the summit", "tin"];
const pool: readonly Demonstration[] = things.map((thing, index) => ({
  exampleId: `d${index}`,
  inputs: { question: `What do you know of ${thing}?` },
  outputs: { answer: `That ${thing} is a thing.` },
}));
const examples: readonly Example<any, any>[] = things.map((thing, index) => ({
  id: `e${index}`,
  input: { question: `Is ${thing} a thing?` },
  labels: {},
}));
const embedder = rehearsalEmbedder();
const byWords: Candidate = [
  { kind: "demos", path: "answer", value: pool, nearest: { k: 2, by: "words" } },
];
const byVectors: Candidate = [
  {
    kind: "demos",
    path: "answer",
    value: pool,
    nearest: { k: 2, by: await embedDemonstrations(pool, { embedder }) },
  },
];
const isThing = metric<any, any, any>({ name: "is-thing", version: "1", score: () => scored(1) });

async function compiled(candidate: Candidate): Promise<Artifact> {
  const declared = answerer().withEmbedder(embedder);
  const lm = rehearsalLm();
  const chosen = declared.with(candidate);
  const { rows } = await evaluate({ program: chosen, examples, metric: isThing, lm });
  const samples = recordedInputs(rows.map(({ trace }) => trace));
  const vectors = await recordedVectors(chosen, samples);
  return compileArtifact({ program: declared, candidate, lm: lm.identity, samples, vectors });
}
const [artifact, lexical] = [await compiled(byVectors), await compiled(byWords)];

/** The artifact with another compiled part, as a file of that content would be. */
function changed(change: (compiled: any) => void): Artifact {
  const copy = structuredClone(artifact) as { hash: string; compiled: object } & Artifact;
  change(copy.compiled);
  copy.hash = contentHash(copy.compiled);
  return copy;
}

describe.each([
  ["words", lexical],
  ["an embedder", artifact],
])("an artifact that chooses demonstrations by %s", (_, kept) => {
  it("is written, read and loaded, and shows each input what it showed before", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "answerer.json");
    await writeArtifact(path, kept);
    const read = await readArtifact(path);
    expect(read).toEqual(kept);
    const declared = answerer().withEmbedder(rehearsalEmbedder());
    const loaded = loadArtifact(read, declared);
    expect(programDrift(read, declared)).toEqual([]);
    const before = declared.with(kept === artifact ? byVectors : byWords);
    const lm = rehearsalLm();
    const shown = new Set<string>();
    for (const { input } of examples) {
      const [was, now] = [await before.attempt(input, { lm }), await loaded.attempt(input, { lm })];
      const [one, other] = [was, now].map(({ trace }) => trace.children[0]);
      expect(other).toMatchObject({ demonstrations: (one as any).demonstrations });
      expect((other as any).calls[0].messages).toEqual((one as any).calls[0].messages);
      expect((other as any).demonstrations).toHaveLength(2);
      for (const id of (other as any).demonstrations) shown.add(id);
    }
    expect(shown.size).toBeGreaterThan(3);
  });

  it("says so where it is shown, and refuses an export that would show the same to all", () => {
    const measure = kept === artifact ? "the vectors of rehearsal" : "words";
    expect(artifactText(kept)).toContain(
      `  6 demonstrations, of which prompts show the 2 nearest by ${measure}\n`,
    );
    expect(() => plainMessages(kept)).toThrow(/chosen for each input, which only espalier can do/);
  });

  it("is refused once its demonstrations are chosen otherwise than when it was made", async () => {
    const otherwise = changed((held) => {
      const samples = kept.compiled.samples as any;
      // Another input renders other demonstrations: what a changed choice would look like.
      held.components = kept.compiled.components;
      held.samples = structuredClone(samples);
      held.samples.answer[0].messages = samples.answer[1].messages;
    });
    const error = await thrownBy(() => loadArtifact(otherwise, answerer().withEmbedder(embedder)));
    expect(error).toMatchObject({ code: "artifact-drifted" });
  });
});

describe("an artifact that chooses demonstrations by an embedder", () => {
  it("is refused to a program with another one", async () => {
    const other = rehearsalEmbedder({ model: "other" });
    const error = await thrownBy(() => loadArtifact(artifact, answerer().withEmbedder(other)));
    expect(error.message).toMatchInlineSnapshot(
      `"The program differs from the compiled one: embedder of predictor "answer" was {"provider":"rehearsal","model":"rehearsal"} and is {"provider":"rehearsal","model":"other"} (at artifact b86ed40bba92 of program "answerer" 1). Recompile the program, or restore its earlier code. To use the compiled components anyway, name the study and add \`--candidate ARTIFACT\`; in code, \`program.with(artifact.compiled.components)\`."`,
    );
    expect(error).toMatchObject({ code: "artifact-drifted" });
  });

  it("is refused to a program without one", async () => {
    const error = await thrownBy(() => loadArtifact(artifact, answerer()));
    expect(error.message.replace(/[0-9a-f]{12}/, "(hash)")).toMatchInlineSnapshot(
      `"The artifact chooses the demonstrations of answer with an embedder, but the program has none (at artifact (hash) of program "answerer" 1). Expected: the embedder \`rehearsal\` (rehearsal). Give it to the program with \`program.withEmbedder(embedder)\`, or name it as \`embedder\` in espalier.servers.json."`,
    );
    expect(error).toMatchObject({ code: "part-missing" });
    // The one by words needs none.
    expect(() => loadArtifact(lexical, answerer())).not.toThrow();
  });

  it("is loaded without asking the embedder", async () => {
    let asked = 0;
    const counting: Embedder = {
      identity: embedder.identity,
      doEmbed: (texts, options) => {
        asked++;
        return embedder.doEmbed(texts, options);
      },
    };
    loadArtifact(artifact, answerer().withEmbedder(counting));
    expect(asked).toBe(0);
  });

  it.each<[string, (compiled: any) => void, string]>([
    ["lacks a demonstration", ({ components }) => demosOf(components).value.pop(), "a vector for"],
    [
      "has other demonstrations",
      ({ components }) => (demosOf(components).value[0].inputs = { question: "Else?" }),
      "vectors of others",
    ],
    [
      "names a vector that is none",
      ({ components }) => (demosOf(components).nearest.by.vectors[0] = "AAAA"),
      "finite 32-bit floats",
    ],
  ])("is refused if it %s", async (_, change, words) => {
    const error = await thrownBy(() =>
      loadArtifact(changed(change), answerer().withEmbedder(embedder)),
    );
    expect(error.message).toContain(words);
  });

  it.each<[string, (compiled: any) => void]>([
    ["without the vector of an input", ({ samples }) => delete samples.answer[0].vector],
    ["with a vector of another length", ({ samples }) => (samples.answer[0].vector = "AACAPw==")],
  ])("is refused %s", async (_, change) => {
    const error = await thrownBy(() =>
      loadArtifact(changed(change), answerer().withEmbedder(embedder)),
    );
    expect(error.message).toContain("depend on a vector of the inputs");
  });

  it("is not compiled without the vectors of its inputs", async () => {
    const error = await thrownBy(() =>
      compileArtifact({
        program: answerer(),
        candidate: byVectors,
        lm: rehearsalLm().identity,
        samples: { answer: [{ question: "Is copper a thing?" }] },
      }),
    );
    expect(error).toMatchObject({ code: "part-missing" });
  });
});

describe("a difference between artifacts", () => {
  it("names how demonstrations are chosen", async () => {
    const all = await compiled([{ kind: "demos", path: "answer", value: pool }]);
    const texts = [
      [all, lexical],
      [lexical, artifact],
    ].map((two) => {
      const [was, now] = two.map((each) => each.compiled.components);
      return componentChanges(was ?? [], now ?? []);
    });
    expect(texts.map((lines) => lines.find((line) => line.startsWith("  shown:")))).toEqual([
      "  shown: all -> the 2 nearest by words",
      "  shown: the 2 nearest by words -> the 2 nearest by the vectors of rehearsal",
    ]);
  });
});

function demosOf(components: readonly any[]): any {
  return components.find(({ kind }) => kind === "demos");
}
