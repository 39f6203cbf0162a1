import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, predict, signature, text, tool } from "espalier";
import { readJsonl } from "espalier/trainset";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedLm } from "../support/scripted-lm.ts";

const large = "9223372036854775807";
const of = (id: z.ZodType) =>
  signature({
    name: "find",
    instruction: "Find it.",
    input: { question: text("question") },
    output: { id: id as z.ZodType<any> },
  });
const question = "Which?";

describe("an integer that no number holds", () => {
  it.each([
    ["a text", z.string(), large],
    ["a text in a list", z.array(z.string()), [large]],
    ["a text in an object", z.object({ at: z.string().nullable() }), { at: large }],
    ["a text beside numbers", z.union([z.int(), z.string()]), large],
  ])("is exact in %s of a reply", async (_, id, held) => {
    const reply = JSON.stringify({ id: held }).replace(`"${large}"`, large);
    await using server = await scriptedLm(() => reply);
    const made = await predict(of(id)).run({ question }, { lm: server.lm });
    expect(made).toEqual({ id: held });
  });

  it.each([z.int(), z.number(), z.array(z.number()), z.union([z.int(), z.boolean()])])(
    "is refused in a number of a reply, by field, and asked for again",
    async (id) => {
      const isList = id instanceof z.ZodArray;
      const reply = (value: string) => `{"id":${isList ? `[${value}]` : value}}`;
      await using server = await scriptedLm((__, at) => reply(at === 0 ? large : "7"));
      const made = await predict(of(id)).run({ question }, { lm: server.lm });
      expect(made).toEqual({ id: isList ? [7] : 7 });
      expect(server.received[1]?.messages.at(-1)?.content).toMatch(
        new RegExp(
          `\`id(\\.0)?\`: .*${large} is too large for a number: expected at most 900719925474`,
        ),
      );
    },
  );

  it.each(["native", "json"] as const)("is exact in %s arguments of a tool", async (calls) => {
    const given: unknown[] = [];
    const look = tool({
      name: "look",
      description: "Looks.",
      input: { id: z.string(), count: z.int().optional() },
      run: (input) => {
        given.push(input);
        return "seen";
      },
    });
    const asked = (name: string) =>
      `{"id":"a","${name}":${large}}`.replace('"id":"a","id"', '"id"');
    const call = (name: string) =>
      calls === "native"
        ? { toolCalls: [["look", asked(name)]] as const }
        : `{"thought":"","calls":[{"tool":"look","input":${asked(name)}}]}`;
    await using server = await scriptedLm((__, at) =>
      at === 0
        ? call("id")
        : at === 1
          ? call("count")
          : at === 2 && calls === "json"
            ? '{"thought":"","calls":[]}'
            : '{"id":"x"}',
    );
    const step = agent({ signature: of(z.string()), tools: [look], calls });
    expect(await step.run({ question }, { lm: server.lm })).toEqual({ id: "x" });
    expect(given).toEqual([{ id: large }]);
    expect(JSON.stringify(server.received.at(-1)?.messages)).toContain(
      `\`count\`: ${large} is too large for a number`,
    );
  });

  it("is exact in a row's text, and refused in its number by line and field", async () => {
    const folder = await mkdtemp(join(tmpdir(), "espalier-large-"));
    try {
      const path = join(folder, "rows.jsonl");
      await writeFile(path, `{"id":${large},"n":1}\n{"id":"b","n":${large}}\n`);
      const row = z.object({ id: z.string(), n: z.number() });
      await expect(readJsonl(path, row)).rejects.toThrow(
        `Expected: a number of at most 9007199254740991 in size. Got: "${large}"`,
      );
      await expect(readJsonl(path, row)).rejects.toThrow("rows.jsonl:2, field `n`");
      const texts = row.extend({ n: z.union([z.number(), z.string()]) });
      expect(await readJsonl(path, texts)).toMatchObject([{ id: large }, { n: large }]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
