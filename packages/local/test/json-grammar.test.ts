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

test.each([1, 999, 1_000, 1_999, 2_000, 2_001, 50_000])(
  "llama.cpp takes a grammar of texts and lists of %i",
  (length) => {
    const text = z.string().max(2_000);
    const items = z.array(z.object({ text, tags: z.array(z.string()).max(9) }));
    for (const type of [
      z.string().max(length),
      z.string().min(length),
      z.string().length(length),
      items.max(length),
      items.min(length),
      items.length(length),
    ]) {
      const grammar = jsonGrammar(schemaOf(z.object({ first: type, text })));
      expect(() => new LlamaGrammar(llama, { grammar })).not.toThrow();
    }
  },
);

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
