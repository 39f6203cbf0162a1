import { join } from "node:path";
import { expect, it } from "vitest";
import { loadArtifact, programDrift, readArtifact } from "espalier/artifact";
import { promptLayout } from "../../src/contract/index.ts";
import { travelGuide } from "./travel-guide.ts";

// Made with `compileGuide()`. A change of the layout makes it anew, with the next number.
const compiledGuide = readArtifact(join(import.meta.dirname, "golden/travel-guide.json"));

it("an artifact gives the prompts it was compiled with", async () => {
  const artifact = await compiledGuide;
  expect(artifact.compiled.promptLayout).toBe(promptLayout);
  expect(programDrift(artifact, travelGuide())).toEqual([]);
  const loaded = loadArtifact(artifact, travelGuide());
  for (const [predictor, samples] of Object.entries(artifact.compiled.samples)) {
    for (const { inputs, messages } of samples) {
      expect(loaded.render(predictor, inputs)).toEqual(messages);
    }
  }
});

it.each([promptLayout - 1, promptLayout + 1])(
  "an artifact of layout %i is refused for it",
  async (other) => {
    const { compiled, ...artifact } = await compiledGuide;
    const foreign = { ...artifact, compiled: { ...compiled, promptLayout: other } };
    expect(programDrift(foreign, travelGuide())).toEqual([
      { what: "layout of prompts", was: String(other), now: String(promptLayout) },
    ]);
  },
);
