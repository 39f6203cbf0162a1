import { expect, it } from "vitest";
import { z } from "zod";
import { jsonDriver, predict, signature, text } from "espalier";
import { scriptedLm } from "../../support/scripted-lm.ts";
import { describeDriver } from "../driver.contract.ts";

describeDriver({
  driver: jsonDriver,
  write: (outputs) => JSON.stringify(outputs),
  nonsense: "I would rather not say.",
});

it.each<readonly [string, unknown]>([
  ["many bad items", Array.from({ length: 20_000 }, () => ({ n: 9 }))],
  ["a long name that no field has", [{ n: 1, ["x".repeat(100_000)]: 9 }]],
])("a reply with %s is corrected in few words", async (_, items) => {
  const counts = signature({
    name: "counts",
    instruction: "Count.",
    input: { question: text("question") },
    output: { items: z.array(z.strictObject({ n: z.int().max(5) })) },
  });
  const good = { items: [{ n: 1 }] };
  await using server = await scriptedLm((__, index) =>
    JSON.stringify(index === 0 ? { items } : good),
  );
  expect(await predict(counts).run({ question: "How many?" }, { lm: server.lm })).toEqual(good);
  const [reply, told] = server.received[1]?.messages.slice(-2) ?? [];
  expect(reply?.content.length).toBe(2_000);
  expect(told?.content.length).toBeLessThan(2_500);
  expect(told?.content).toContain("`items.0");
});

it("a correction tells the first five problems, and how many more there are", async () => {
  const counts = signature({
    name: "counts",
    instruction: "Count.",
    input: { question: text("question") },
    output: { items: z.array(z.int().max(5)) },
  });
  await using server = await scriptedLm((_, index) =>
    JSON.stringify({ items: Array.from({ length: 8 }, () => (index === 0 ? 9 : 1)) }),
  );
  await predict(counts).run({ question: "How many?" }, { lm: server.lm });
  const told = server.received[1]?.messages.at(-1)?.content ?? "";
  expect(told.match(/`items\.\d`/g)).toEqual([0, 1, 2, 3, 4].map((item) => `\`items.${item}\``));
  expect(told).toContain("; and 3 more problems. Write the whole JSON object again");
});
