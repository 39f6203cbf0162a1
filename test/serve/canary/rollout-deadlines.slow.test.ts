import { textOfContent } from "espalier";
import type { LanguageModel, LmRequest } from "espalier";
import { connect } from "espalier/lm";
import { expect, test } from "vitest";
import { answeringLate } from "../upstream.ts";
import { counted, onlyRollout } from "./only-rollout.ts";
import { ask, asInstructed, isVague, rolledOut, users } from "./rolled-out.ts";

test("a shadow that is not done within the deadline scores 0", async () => {
  await using work = await rolledOut({
    reply: (response, request) => (isVague(request) ? undefined : asInstructed(response, request)),
  });
  const state = work.state();
  await using server = await work.serve({ rollout: { shadow: 1 }, state, deadlineMs: 3_000 });
  await ask(server, "ada");
  await expect.poll(() => counted(server)).toBe(2);
  expect((await onlyRollout(server)).findings.candidate.meanScore).toBe(0);
});

test("a candidate as good as the production scores as well, however long its shadows wait for the LM", async () => {
  await using work = await rolledOut({ reply: answeringLate("By the river.", 1_000) });
  const slow = { model: "scripted", concurrency: 4, retry: { attempts: 1 } };
  const lm = connect({ ...slow, baseUrl: work.lm.url });
  const rollout = { shadow: 1 };
  const limits = { concurrency: 64, deadlineMs: 12_000 };
  await using server = await work.serve({ lm, rollout, state: work.state(), ...limits });
  // One after the other the shadows take longer than a deadline.
  await Promise.all(users(0, 16).map((user) => ask(server, user)));
  await expect.poll(() => counted(server)).toBe(32);
  const { findings } = await onlyRollout(server);
  expect(findings).toMatchObject({
    comparisons: 16,
    baseline: { meanScore: 1 },
    candidate: { meanScore: 1 },
  });
});

test.each([{ canary: 0.99 }, { shadow: 1 }])(
  "a candidate that passes over the end of its deadline scores 0 as well: %j",
  async (rollout) => {
    await using work = await rolledOut();
    const isOfVague = ({ messages: [system] }: LmRequest): boolean =>
      textOfContent(system?.content).includes("Be vague");
    const deaf: LanguageModel = {
      ...work.lm.lm,
      doGenerate: (request, call) =>
        isOfVague(request) ? new Promise(() => undefined) : work.lm.lm.doGenerate(request, call),
    };
    const state = work.state();
    await using server = await work.serve({ lm: deaf, rollout, state, deadlineMs: 2_000 });
    // Several: one of a hundred gets the baseline.
    await Promise.allSettled(users(0, 5).map((user) => ask(server, user)));
    const candidate = async () => (await onlyRollout(server)).findings.candidate;
    await expect.poll(candidate).toMatchObject({ meanScore: 0 });
  },
);
