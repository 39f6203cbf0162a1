import { getLlama, LlamaGrammar } from "node-llama-cpp";
import { expect, test } from "vitest";
import { z } from "zod";
import { jsonGrammar } from "../src/json-grammar.ts";

const schemaOf = (type: z.ZodType): Parameters<typeof jsonGrammar>[0] => {
  const { $schema: _, ...schema } = z.toJSONSchema(type);
  return schema as Parameters<typeof jsonGrammar>[0];
};

test("a label is one of its texts", () => {
  const grammar = jsonGrammar(schemaOf(z.object({ team: z.enum(["returns", 'the "rest"']) })));
  expect(grammar).toContain(String.raw`"\"returns\"" | "\"the \\\"rest\\\"\""`);
  expect(grammar).toContain(String.raw`"\"team\":"`);
});

test("what may be left out needs no comma before it or after it", () => {
  const type = z.object({ a: z.boolean().optional(), b: z.boolean(), c: z.boolean().optional() });
  const rules = new Map(
    jsonGrammar(schemaOf(type))
      .split("\n")
      .map((line) => line.split(" ::= ") as [string, string]),
  );
  const texts = textsOf("root", rules);
  const blankless = new Set([...texts].map((text) => text.replaceAll(" ", "")));
  const all = [{ b: true }, { b: false }].flatMap(({ b }) => [
    { b },
    ...[true, false].flatMap((one) => [
      { a: one, b },
      { b, c: one },
      ...[true, false].map((c) => ({ a: one, b, c })),
    ]),
  ]);
  expect(blankless).toEqual(new Set(all.map((value) => JSON.stringify(value))));
});

const llama = await getLlama({ gpu: false, build: "never" });
const bounds = [0, 1, 999, 1_000, 1_001, 1_999, 2_000];
const pairs = bounds.flatMap((minimum) =>
  [...bounds, undefined].map((maximum) => [minimum, maximum] as const),
);

test.each(pairs.filter(([minimum, maximum = Infinity]) => maximum >= Math.max(minimum, 1)))(
  "a text of %i to %s characters is held to that, by a grammar that llama.cpp takes",
  (minimum, maximum) => {
    const text = maximum === undefined ? z.string() : z.string().max(maximum);
    const grammar = jsonGrammar(schemaOf(text.min(minimum)));
    const [, name = ""] = /^root ::= "" (\S+) ""/.exec(grammar) ?? [];
    const rules = new Map(
      grammar.split("\n").map((line) => line.split(" ::= ") as [string, string]),
    );
    expect(name === "string" ? [0, Infinity] : lengthsOf(rules.get(name) ?? "", rules)).toEqual([
      minimum,
      maximum ?? Infinity,
    ]);
    expect(() => new LlamaGrammar(llama, { grammar })).not.toThrow();
  },
);

test.each([1, 499, 500, 501, 1_000, 2_000, 5_000])("llama.cpp takes lists of %i items", (items) => {
  const list = z.array(z.object({ name: z.string().max(2_000), tags: z.array(z.string()).max(9) }));
  for (const type of [list.max(items), list.length(items)]) {
    const grammar = jsonGrammar(schemaOf(type));
    expect(() => new LlamaGrammar(llama, { grammar })).not.toThrow();
  }
});

/** The fewest and the most characters of a text's rule, whose alternatives leave no gap. */
function lengthsOf(body: string, rules: ReadonlyMap<string, string>): [number, number] {
  const spans = body.split(" | ").map((alternative) => {
    let span: [number, number] = [0, 0];
    for (const part of alternative.split(" ").filter((one) => one !== '"\\""')) {
      const [, low, comma, high] = /^char(?:\{(\d+)(,?)(\d*)\})?\*?$/.exec(part) ?? [];
      const ends: [number, number] = !part.startsWith("char")
        ? lengthsOf(rules.get(part) ?? "", rules)
        : [Number(low ?? 0), comma === "" ? Number(low) : Number(high || Infinity)];
      span = [span[0] + ends[0], span[1] + ends[1]];
    }
    return span;
  });
  for (const [index, [low]] of spans.slice(1).entries()) expect(low).toBe(spans[index]![1] + 1);
  return [spans[0]![0], spans.at(-1)![1]];
}

/** All texts of a grammar without loops. */
function textsOf(name: string, rules: ReadonlyMap<string, string>): ReadonlySet<string> {
  const parts = rules.get(name)?.match(/"(?:\\.|[^"\\])*"\??|[\w-]+|\|/g) ?? [];
  const all = new Set<string>();
  let some = [""];
  for (const part of [...parts, "|"]) {
    if (part === "|") {
      for (const text of some) all.add(text);
      some = [""];
      continue;
    }
    const isMaybe = part.endsWith("?");
    const next: Iterable<string> = part.startsWith('"')
      ? [JSON.parse(isMaybe ? part.slice(0, -1) : part) as string, ...(isMaybe ? [""] : [])]
      : textsOf(part, rules);
    some = some.flatMap((text) => [...next].map((more) => text + more));
  }
  return all;
}
