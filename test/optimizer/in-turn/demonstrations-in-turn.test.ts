import { describe, expect, it } from "vitest";
import type { Candidate } from "espalier";
import { rehearsalEmbedder } from "@espalier/rehearsal";
import { bootstrapFewShot, inTurn, miproV2, optimize, readRun } from "espalier/optimizer";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { kindsStudy } from "../few-shot/support/kinds.ts";
import { writingKindsLm as lm } from "../few-shot/support/writing-kinds-lm.ts";

const demosIn = (components: Candidate) => components.filter((held) => held.kind === "demos");

describe("demonstrations, in turn", () => {
  it("are credited where the best candidate shows them, and where it shows others are not", async () => {
    const optimizer = inTurn([bootstrapFewShot({ maxBootstrapped: 2, trials: 3 }), miproV2()]);
    let foundLater = 0;
    for (const seed of [0, 1, 2, 3]) {
      await using folder = await temporaryFolder();
      const {
        best,
        candidates,
        credits = [],
      } = await optimize(kindsStudy, {
        optimizer,
        lm,
        seed,
        runFolder: folder.path,
        budget: { metricCalls: 300, reflectionCalls: 30 },
      });
      const shown = demosIn(best.components).flatMap(({ path, value }) =>
        value.map(({ exampleId }) => `${path} ${exampleId}`),
      );
      const ofMiproV2 = candidates.filter(({ acceptance }) => acceptance.by === "mipro-v2");
      if (ofMiproV2.includes(best)) foundLater++;
      for (const { predictor, exampleId } of credits) {
        expect(shown).toContain(`${predictor} ${exampleId}`);
      }
      expect(readRun(folder.path)?.credits).toEqual(credits);
    }
    expect(foundLater).toBeGreaterThan(0);
  });

  it.each(["words", "embedder"] as const)(
    "are whole sets in MIPROv2's trials, after others chose the nearest by %s",
    async (by) => {
      const study = {
        ...kindsStudy,
        program: kindsStudy.program.withEmbedder(rehearsalEmbedder()),
      };
      const first = bootstrapFewShot({ maxBootstrapped: 1, nearest: { by, k: [1] }, trials: 8 });
      const proposed: Readonly<Record<string, string>>[] = [];
      const { candidates } = await optimize(study, {
        optimizer: inTurn([first, miproV2()]),
        lm,
        budget: { metricCalls: 400, reflectionCalls: 30 },
        onEvent: (event) => {
          if (event.kind === "candidate-proposed") proposed.push(event.texts);
        },
      });
      expect(demosIn(candidates[1]?.components ?? []).map(({ nearest }) => nearest?.k)).toEqual([
        1, 1,
      ]);
      // Instructions are MIPROv2's alone.
      const ofMiproV2 = proposed.findIndex((texts) => "instruction:answer" in texts);
      const sets = proposed.slice(ofMiproV2).flatMap((texts) => texts["demos:answer"] ?? []);
      expect(sets.length).toBeGreaterThan(3);
      for (const set of sets) expect(set).not.toContain("nearest");
    },
  );
});
