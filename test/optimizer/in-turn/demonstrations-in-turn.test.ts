import { describe, expect, it } from "vitest";
import type { Candidate, LanguageModel } from "espalier";
import { textOfContent } from "espalier";
import { rehearsalEmbedder } from "@espalier/rehearsal";
import type { Optimizer } from "espalier/optimizer";
import {
  bootstrapFewShot,
  inTurn,
  jointSearch,
  miproV2,
  optimize,
  readRun,
} from "espalier/optimizer";
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

  it("come from runs that were paid for before, in a joint search, too", async () => {
    const teacher: LanguageModel = {
      identity: { provider: "test", model: "teacher" },
      doGenerate: async (request, options) => {
        const reply = await lm.doGenerate(request, options);
        return { ...reply, content: (reply.content ?? "").replace("About", "Taught") };
      },
    };
    const few = { maxBootstrapped: 1, trials: 1, rounds: 1, teacher: { lm: teacher } };
    const prompts: string[] = [];
    await optimize(kindsStudy, {
      optimizer: inTurn([bootstrapFewShot(few), jointSearch()]),
      lm: {
        ...lm,
        doGenerate: (request, options) => {
          prompts.push(request.messages.map(({ content }) => textOfContent(content)).join("\n"));
          return lm.doGenerate(request, options);
        },
      },
      budget: { metricCalls: 200, reflectionCalls: 10 },
    });
    const taught = prompts.map((prompt) => new Set(prompt.match(/Taught \w+/g)).size);
    expect(taught.some((notes) => notes > 1)).toBe(true);
  });

  it("cost later parts nothing again, if the program's own LM looked for them", async () => {
    const first = bootstrapFewShot({ rounds: 1, trials: 2 });
    // Demonstrations show nothing, so that the second part starts from the program as it is.
    const unmoved: LanguageModel = {
      ...lm,
      doGenerate: async (request, options) => {
        const messages = [...request.messages.slice(0, 1), ...request.messages.slice(-1)];
        return lm.doGenerate({ ...request, messages }, options);
      },
    };
    const spentBy = async (optimizer: Optimizer): Promise<readonly number[]> => {
      const spent: number[] = [];
      await optimize(kindsStudy, {
        optimizer,
        lm: unmoved,
        budget: { metricCalls: 200, reflectionCalls: 10 },
        onEvent: (event) => {
          if (event.kind === "budget-spent") spent.push(event.metricCalls);
        },
      });
      return spent;
    };
    const alone = await spentBy(first);
    const both = await spentBy(inTurn([{ ...first, budget: { metricCalls: 100 } }, jointSearch()]));
    expect(both.slice(0, alone.length)).toEqual(alone);
    expect(both[alone.length]).toBe(alone.at(-1));
    expect(both.at(-1)).toBeGreaterThan(alone.at(-1) ?? NaN);
  });
});
