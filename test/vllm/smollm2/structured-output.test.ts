import { predict, signature, text } from "espalier";
import { expect } from "vitest";
import { z } from "zod";
import { lmAt } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

const input = { note: text("question") };
const readPerson = predict(
  signature({
    name: "read-person",
    instruction: "Read who it is and how old.",
    input,
    output: {
      name: z.string().describe("The person's name."),
      age: z.int().describe("The person's age in years."),
    },
  }),
);
const listThings = predict(
  signature({
    name: "list-things",
    instruction: "List what is to be bought.",
    input,
    output: { things: z.array(z.string()).describe("What is to be bought.") },
  }),
);

test("a text and a number are read out of a sentence", async ({ smollm2, skip }) => {
  skip(!smollm2.isTrained, "no trained weights");
  await using lm = lmAt(smollm2);
  const read = (note: string) => readPerson.run({ note }, { lm });
  expect([
    await read("Anna is 34 years old."),
    await read("My uncle Peter is 71."),
    await read("Maria, 28, lives in Porto."),
  ]).toEqual([
    { name: "Anna", age: 34 },
    { name: "Peter", age: 71 },
    { name: "Maria", age: 28 },
  ]);
});

test("a list is read out of a sentence", async ({ smollm2, skip }) => {
  skip(!smollm2.isTrained, "no trained weights");
  await using lm = lmAt(smollm2);
  const { things } = await listThings.run({ note: "We need apples, rice and soap." }, { lm });
  expect(things).toEqual(["apples", "rice", "soap"]);
});
