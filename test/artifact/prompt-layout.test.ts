import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compileArtifact, loadArtifact, programDrift, readArtifact } from "espalier/artifact";
import { promptLayout, promptLayouts } from "../../src/program/index.ts";
import { travelGuide } from "./travel-guide.ts";

// One artifact for each layout there has been, made with `compileGuide()` and never written again.
const golden = join(import.meta.dirname, "golden");
const artifactOf = (layout: number) => readArtifact(join(golden, `layout-${layout}.json`));

it("there is an artifact of every layout", async () => {
  const files = promptLayouts.map((layout) => `layout-${layout}.json`);
  expect((await readdir(golden)).toSorted()).toEqual(files);
  expect(promptLayout).toBe(promptLayouts.at(-1));
});

it.each(promptLayouts)(
  "an artifact of layout %i gives the prompts it was compiled with",
  async (layout) => {
    const artifact = await artifactOf(layout);
    expect(artifact.compiled.promptLayout).toBe(layout);
    expect(programDrift(artifact, travelGuide())).toEqual([]);
    const loaded = loadArtifact(artifact, travelGuide());
    for (const [predictor, samples] of Object.entries(artifact.compiled.samples)) {
      for (const { inputs, messages } of samples) {
        expect(loaded.render(predictor, inputs)).toEqual(messages);
      }
    }
  },
);

it("a program that was loaded keeps its layout, with other texts and when it is compiled again", async () => {
  const loaded = loadArtifact(await artifactOf(1), travelGuide());
  const changed = loaded.with([{ kind: "instruction", path: "answer", value: "Say it." }]);
  const again = compileArtifact({
    program: changed,
    lm: { provider: "test", model: "none" },
    samples: {},
  });
  expect(again.compiled.promptLayout).toBe(1);
  expect(travelGuide().promptLayout).toBe(promptLayout);
});

it("an artifact of a layout that is not known is refused for it", async () => {
  const { compiled, ...artifact } = await artifactOf(promptLayout);
  const newer = { ...artifact, compiled: { ...compiled, promptLayout: promptLayout + 1 } };
  expect(programDrift(newer, travelGuide())).toEqual([
    { what: "layout of prompts", was: String(promptLayout + 1), now: String(promptLayout) },
  ]);
});
