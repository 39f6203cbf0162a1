import { chatModel, serving } from "espalier/serve";
import { expect, test } from "vitest";
import { asked, atOnce, clientOf, served } from "../served.ts";
import { answering, upstream } from "../upstream.ts";

test("a question's input is made once, for the check of its length and for the run", async () => {
  let made = 0;
  const model = chatModel({
    id: "counting",
    program: atOnce,
    inputOf: ({ question }) => {
      made += 1;
      return { question: `${question} (${made})` };
    },
    answerOf: ({ answer }) => ({ answer }),
  });
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, {
    serving: serving({ name: "counting", models: [model] }),
  });
  await clientOf(server).chat.completions.create(asked("Where?", "counting"));
  await clientOf(server).chat.completions.create(asked("When?", "counting"));
  expect(made).toBe(2);
  expect(lm.requests.map(({ messages }) => JSON.stringify(messages))).toEqual([
    expect.stringContaining("Where? (1)"),
    expect.stringContaining("When? (2)"),
  ]);
});
