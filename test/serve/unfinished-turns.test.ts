import { join } from "node:path";
import { compileArtifact, openRegistry } from "espalier/artifact";
import type { AnswerTracker, ChatServer, TrackedAnswer } from "espalier/serve";
import { chatModel, openFeedback, openServeState, serving } from "espalier/serve";
import type OpenAI from "openai";
import { expect, test } from "vitest";
import { answerTrace } from "../../packages/tracking/src/tracked/answer-trace.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { counted } from "./canary/only-rollout.ts";
import { weather } from "./clients/features.ts";
import { reporter, servedPrograms } from "./clients/served-programs.ts";
import { rate } from "./feedback/at-work.ts";
import { clientOf } from "./served.ts";

const { name, description, parameters } = weather;
const tools = [{ type: "function" as const, function: { name, description, parameters } }];

/** Asks, and then asks again with the results of the calls. */
async function bothTurns(
  server: ChatServer,
  { user = "ada", between = async () => {} }: { user?: string; between?: () => Promise<void> } = {},
): Promise<readonly OpenAI.ChatCompletion[]> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "user", content: "How is the weather in Ostrel and Vessen?" },
  ];
  const ask = () =>
    clientOf(server).chat.completions.create({ model: "reporter", messages, tools, user });
  const first = await ask();
  await between();
  const message = first.choices[0]?.message;
  if (message === undefined) throw new Error("There is no choice.");
  messages.push(message);
  for (const call of message.tool_calls ?? []) {
    messages.push({ role: "tool", tool_call_id: call.id, content: "rain" });
  }
  return [first, await ask()];
}

test("a turn that ends with calls is no answer to rate, and the one that follows is", async () => {
  await using folder = await temporaryFolder();
  using store = openFeedback({ path: join(folder.path, "feedback.sqlite"), isMade: true });
  await using served = await servedPrograms({ feedback: store });
  const [first, last] = await bothTurns(served.server);
  const rated = (id: string | undefined) =>
    rate(served.server, { id, rating: "up", user: "ada" }).then(({ status }) => status);
  expect(await rated(first?.id)).toBe(404);
  expect(await rated(last?.id)).toBe(200);
  expect([...store.rated()]).toMatchObject([{ id: last?.id, answer: "There is rain and rain." }]);
});

test("it is counted as answered, and tracked as a run that did not fail, with its calls", async () => {
  const tracked: TrackedAnswer[] = [];
  const tracker: AnswerTracker = {
    answers: () => ({
      answered: (answer) => tracked.push(answer),
      rated: () => {},
      status: () => ({ name: "list", sent: tracked.length, lost: 0, waiting: 0 }),
      end: async () => ({ isComplete: true, problem: null }) as never,
    }),
  };
  await using served = await servedPrograms({ trackers: [tracker] });
  await bothTurns(served.server);
  expect(tracked.map(({ answer }) => answer)).toEqual([
    '[{"name":"weather","arguments":"{\\"town\\":\\"Ostrel\\"}"},{"name":"weather","arguments":"{\\"town\\":\\"Vessen\\"}"}]',
    "There is rain and rain.",
  ]);
  const shown = tracked.map((answer) =>
    answerTrace(answer, { hasContents: false, redacted: (text) => text }),
  );
  const states = shown.flatMap(({ example }) => [
    example.failed,
    ...example.spans.map(({ failed }) => failed),
  ]);
  expect(new Set(states)).toEqual(new Set([false]));
  expect(states).toHaveLength(6);
  const metrics = await (await fetch(`${served.server.url}/metrics`)).text();
  expect(metrics).toContain(
    'espalier_chats_total{model="reporter",version="declared",status="200"} 2',
  );
  expect(metrics).toContain('espalier_lm_failed_calls_total{role="student"} 0');
});

test.each([
  ["canary", { canary: 0.5 }],
  ["shadow", { shadow: 1 }],
])("a candidate on trial (%s) is compared by the answer that follows", async (kind, rollout) => {
  await using folder = await temporaryFolder();
  const registry = openRegistry(join(folder.path, "artifacts"), { patienceMs: 200 });
  for (const alias of ["production", "candidate"] as const) {
    const artifact = compileArtifact({
      program: reporter,
      candidate: [{ kind: "instruction", path: "reporter", value: `Answer as ${alias}.` }],
      lm: { provider: "test", model: "none" },
      samples: { reporter: [{ question: "Where?" }] },
    });
    await registry.promote("reporter", (await registry.add(artifact)).version, alias);
  }
  using state = openServeState(join(folder.path, "state.sqlite"));
  await using served = await servedPrograms({
    serving: serving({ name: "towns", models: [chatModel({ id: "reporter", program: reporter })] }),
    registry,
    state,
    rollout,
  });
  const both = kind === "shadow" ? 2 : 1;
  for (const [index, user] of ["ada", "bo", "cy", "di"].entries()) {
    const before = served.lmCalls();
    const turns = await bothTurns(served.server, {
      user,
      between: async () => {
        // What is scored is scored in a later turn of the event loop.
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
        expect(served.lmCalls()).toBe(before + 1);
        expect(await counted(served.server)).toBe(both * index);
      },
    });
    const versions = turns.map(
      (turn) => (turn as unknown as { metadata: { version: string } }).metadata.version,
    );
    expect(new Set(versions).size).toBe(1);
    await expect.poll(() => counted(served.server)).toBe(both * (index + 1));
    expect(served.lastRequest().messages.at(-1)?.role).toBe("tool");
  }
});
