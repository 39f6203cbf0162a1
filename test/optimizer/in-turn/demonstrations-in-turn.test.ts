import { describe, expect, it } from "vitest";
import type { Candidate, LanguageModel } from "espalier";
import { textOfContent } from "espalier";
import { rehearsalEmbedder } from "@espalier/rehearsal";
import type { Optimizer, OptimizerRun } from "espalier/optimizer";
import { bootstrapFewShot, inTurn, miproV2, optimize } from "espalier/optimizer";
import { kindsStudy, rightReply, unknownReply } from "../few-shot/support/kinds.ts";
import { writingKindsLm as lm } from "../few-shot/support/writing-kinds-lm.ts";

const demosIn = (components: Candidate) => components.filter((held) => held.kind === "demos");

/** Learns nothing from demonstrations, so that a part with nothing else starts from the seed. */
const unmoved: LanguageModel = {
  ...lm,
  doGenerate: async (request, options) => {
    const messages = [...request.messages.slice(0, 1), ...request.messages.slice(-1)];
    return lm.doGenerate({ ...request, messages }, options);
  },
};

describe("demonstrations, in turn", () => {
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

  it("come from runs that were paid for before, in MIPROv2, too", async () => {
    const teacher: LanguageModel = {
      identity: { provider: "test", model: "teacher" },
      doGenerate: async (request, options) => {
        const reply = await lm.doGenerate(request, options);
        return { ...reply, content: (reply.content ?? "").replace("About", "Taught") };
      },
    };
    const few = { maxBootstrapped: 1, trials: 1, teacher: { lm: teacher } };
    const prompts: string[] = [];
    await optimize(kindsStudy, {
      optimizer: inTurn([bootstrapFewShot(few), miproV2()]),
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
    const first = bootstrapFewShot({ trials: 2 });
    const spentBy = async (optimizer: Optimizer): Promise<readonly number[]> => {
      const spent: number[] = [];
      await optimize(kindsStudy, {
        optimizer,
        lm: unmoved,
        budget: { metricCalls: 150, reflectionCalls: 10 },
        onEvent: (event) => {
          if (event.kind === "budget-spent") spent.push(event.metricCalls);
        },
      });
      return spent;
    };
    const alone = await spentBy(first);
    const both = await spentBy(inTurn([{ ...first, budget: { metricCalls: 100 } }, miproV2()]));
    expect(both.slice(0, alone.length)).toEqual(alone);
    expect(both[alone.length]).toBe(alone.at(-1));
    expect(both.at(-1)).toBeGreaterThan(alone.at(-1) ?? NaN);
  });

  it.each([["teacher", undefined] as const, [undefined, "teacher"] as const])(
    "are not the student's where the run has a teacher: first of %s, then of %s",
    async (...lms) => {
      const teacher: LanguageModel = {
        identity: { provider: "test", model: "teacher" },
        doGenerate: async (request, options) => {
          const reply = await lm.doGenerate(request, options);
          const isUnknown = reply.content === unknownReply;
          return isUnknown ? { ...reply, content: rightReply(request.messages) } : reply;
        },
      };
      const scores: number[] = [];
      const inner = bootstrapFewShot({ maxBootstrapped: 0, maxLabelled: 1, trials: 1 });
      const looking = (one: "teacher" | undefined): Optimizer => ({
        ...inner,
        budget: { metricCalls: 90 },
        doOptimize: async (space, run) => {
          const request = { candidate: space.components, split: "train", exampleIds: space.train };
          const [rollouts = []] = await run.evaluate([
            { ...request, split: "train", ...(one && { lm: one }) },
          ]);
          const right = rollouts.filter(
            ({ score }) => score.kind === "scored" && score.value === 1,
          );
          scores.push(right.length / rollouts.length);
          return inner.doOptimize(space, run);
        },
      });
      await optimize(kindsStudy, {
        optimizer: inTurn(lms.map(looking)),
        lm: unmoved,
        teacherLm: teacher,
        budget: { metricCalls: 200 },
      });
      expect(scores).toEqual(lms.map((one) => (one === "teacher" ? 1 : 0.2)));
    },
  );

  it("are looked for with the whole share of the budget, beside what comes back for nothing", async () => {
    const ran: number[] = [];
    const [first, second] = [bootstrapFewShot({ trials: 1 }), bootstrapFewShot({ trials: 2 })];
    let share = 0;
    const { spent } = await optimize(kindsStudy, {
      optimizer: inTurn([
        { ...first, budget: { metricCalls: 40 } },
        {
          ...second,
          doOptimize: async (space, run) => {
            const before = run.spent.metricCalls;
            const counted = Object.create(run, {
              evaluate: {
                value: async (requests: Parameters<OptimizerRun["evaluate"]>[0]) => {
                  if (requests[0]?.split === "train" && share === 0) {
                    share = Math.floor(run.rolloutsLeft(0) / 3);
                  }
                  const rollouts = await run.evaluate(requests);
                  if (requests[0]?.split === "train") ran.push(run.spent.metricCalls - before);
                  return rollouts;
                },
              },
            }) as OptimizerRun;
            return second.doOptimize(space, counted);
          },
        },
      ]),
      lm: unmoved,
      budget: { metricCalls: 60 },
    });
    expect(share).toBeGreaterThan(3);
    expect(ran.length).toBeGreaterThan(1);
    expect(ran.at(-1)).toBe(share);
    expect(spent.metricCalls).toBeLessThanOrEqual(60);
  });
});
