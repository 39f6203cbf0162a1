import { expect, test } from "vitest";
import { ApiError } from "../../../../../src/serve/api-error/api-error.ts";
import { chatRequest } from "../../../../../src/serve/routes/openai/openai-routes.ts";

const question = { role: "user", content: "Where?" };

/** A list that counts which of its elements are looked at. */
function counted(elements: readonly unknown[]): {
  readonly list: readonly unknown[];
  readonly looks: () => number;
} {
  let looks = 0;
  const list = new Proxy(elements, {
    get: (target, key) => {
      if (typeof key === "string" && /^\d+$/.test(key)) looks += 1;
      return Reflect.get(target, key) as unknown;
    },
  });
  return { list, looks: () => looks };
}

function refused(body: unknown): { readonly param: string | null; readonly message: string } {
  try {
    chatRequest(body);
  } catch (error) {
    if (error instanceof ApiError) return { param: error.param, message: error.message };
    throw error;
  }
  throw new Error("It was taken.");
}

test("a list of messages that is too long is refused before any of them is looked at", () => {
  for (const element of [{}, [], 1, question]) {
    const { list, looks } = counted(Array(350_000).fill(element));
    expect(refused({ model: "m", messages: list })).toEqual({
      param: "messages",
      message: "`messages`: expected at most 1000 messages, got 350000.",
    });
    expect(looks()).toBe(0);
  }
});

test("a list of parts that is too long is refused before any of them is looked at", () => {
  const { list, looks } = counted(Array.from({ length: 350_000 }, () => ({})));
  expect(refused({ model: "m", messages: [question, { role: "user", content: list }] })).toEqual({
    param: "messages[1].content",
    message: "`messages[1].content`: expected at most 100 parts, got 350000.",
  });
  expect(looks()).toBe(0);
});

test("the first problem of a list ends it", () => {
  const messages = counted(Array.from({ length: 1_000 }, () => ({})));
  expect(refused({ model: "m", messages: messages.list }).param).toBe("messages[0].role");
  expect(messages.looks()).toBeLessThan(5);
  for (const name of ["tools", "functions", "modalities"]) {
    const { list, looks } = counted(Array(350_000).fill(1));
    expect(refused({ model: "m", messages: [question], [name]: list }).param).toBe(name);
    expect(looks()).toBeLessThan(5);
  }
});

test("as many messages and parts as are allowed are read", () => {
  const messages = Array.from({ length: 1_000 }, (_, index) => ({
    role: index % 2 === 0 ? "assistant" : "user",
    content: Array.from({ length: 100 }, () => ({ type: "text", text: `turn ${index}` })),
  }));
  const chat = chatRequest({ model: "m", messages });
  expect(chat.history).toHaveLength(999);
  expect(chat.question).toContain("turn 999");
});
