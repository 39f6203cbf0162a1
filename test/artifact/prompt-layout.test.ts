import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { programDrift, readArtifact } from "espalier/artifact";
import { promptLayout } from "../../src/program/index.ts";
import { travelGuide } from "./travel-guide.ts";

// One artifact for each layout there has been, made with `compileGuide()` and never written again.
const golden = join(import.meta.dirname, "golden");

it("prompts are laid out as they were when the number of the layout was given", async () => {
  const artifact = await readArtifact(join(golden, `layout-${promptLayout}.json`));
  expect(programDrift(artifact, travelGuide())).toEqual([]);
});

it("artifacts of every layout can be read, and older ones are refused for their layout", async () => {
  const files = await readdir(golden);
  expect(files).toHaveLength(promptLayout);
  for (const file of files) {
    const artifact = await readArtifact(join(golden, file));
    const drift = programDrift(artifact, travelGuide());
    const isOlder = artifact.compiled.promptLayout < promptLayout;
    expect(drift.map(({ what }) => what)).toEqual(isOlder ? ["layout of prompts"] : []);
  }
});
