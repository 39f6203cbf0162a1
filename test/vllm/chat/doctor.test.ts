import { expect } from "vitest";
import { examination, supportedBy } from "../support/doctor.ts";
import { test } from "../support/vllm-test.ts";

test("doctor finds what a server started without options can do", async ({ chat }) => {
  const found = await examination(chat);
  expect(found).toMatchObject({
    model: chat.model,
    models: [chat.model],
    version: "0.32.0",
    maxModelLength: 8192,
    maxTopLogprobs: 20,
    dialect: "vllm",
  });
  const expected =
    "chat sampling jsonSchema choice logprobs seed streamingUsage prefixCaching contextOverflow " +
    "cacheSalt tokenize metrics";
  expect(supportedBy(found)).toEqual(expect.arrayContaining(expected.split(" ")));
  // Without a reasoning parser thoughts stay in the text.
  expect(found.capabilities.reasoning.state).toBe("unknown");
  for (const name of ["embeddings", "rerank", "score"] as const) {
    expect(found.capabilities[name].state).toBe("unsupported");
  }
});

// The server takes any priority and schedules first come, first served.
test("doctor does not call a priority supported that the server ignores", async ({ chat }) => {
  expect((await examination(chat)).capabilities.priority.state).not.toBe("supported");
});
