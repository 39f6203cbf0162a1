import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../../src/contract/index.ts";
import { wellFormed } from "../../../src/internal/index.ts";
import { describeFields } from "../../../src/signature/index.ts";
import type { GrowthGuide } from "../../../src/program/call/growth-guide.ts";
import { growingJson } from "../../../src/program/call/growing-json.ts";
import { growthGuide } from "../../../src/program/call/growth-guide.ts";
import { partialStream } from "../../../src/program/predictor/heard-outputs.ts";

const anything: GrowthGuide = { grows: true, at: () => anything };

/** Cuts at places in UTF-16 code units: in the middle of escapes, numbers and pairs. */
function cut(text: string, places: readonly number[]): readonly string[] {
  const ends = [...places.filter((index) => index < text.length), text.length].toSorted(
    (left, right) => left - right,
  );
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

/** Whether a value may grow into another: texts at their ends, lists and objects by parts. */
function isBeginning(part: unknown, whole: unknown): boolean {
  if (typeof part === "string" && typeof whole === "string") return whole.startsWith(part);
  if (Array.isArray(part) && Array.isArray(whole)) {
    return part.every((each, index) => index < whole.length && isBeginning(each, whole[index]));
  }
  if (typeof part !== "object" || part === null) return Object.is(part, whole);
  if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return false;
  return Object.keys(part).every(
    (key) =>
      Object.hasOwn(whole, key) &&
      isBeginning((part as JsonObject)[key], (whole as JsonObject)[key]),
  );
}

const units = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes));
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  units,
  fc.constantFrom('say "\\"', "\u{1F332}\u{1F333}", "\ud83c", "__proto__", "a\\u00e9"),
);
// Halves of characters would make two keys one.
const anyKey = anyText.map((text) => text.toWellFormed());
const anyValue = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(anyKey, tie("json"), { maxKeys: 4 }),
  ),
})).json;

const escaped = (json: string): string =>
  json.replaceAll(
    /[^\u0020-\u007e]/g,
    (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** What is seen after each piece. */
function seen(guide: GrowthGuide, pieces: readonly string[]) {
  const growth = growingJson(guide);
  return pieces.map((piece) => {
    growth.add(piece);
    return growth.snapshot();
  });
}

describe("a JSON object that is still being written", () => {
  it("is a beginning of the whole at each piece, never shrinks, and is the whole at the end", () => {
    fc.assert(
      fc.property(
        fc.dictionary(anyKey, anyValue, { maxKeys: 4 }),
        fc.constantFrom(undefined, 2),
        fc.boolean(),
        fc.array(fc.nat(300)),
        (value, indent, isAscii, places) => {
          const plain = JSON.stringify(value, null, indent);
          // Ascii escapes stand for the same units, also outside of texts: there are none.
          const json = isAscii && indent === undefined ? escaped(plain) : plain;
          const whole = wellFormed(JSON.parse(json) as JsonObject);
          const values = seen(anything, cut(json, places)).map((each) => each.value);
          values.forEach((each, index) => {
            expect(isBeginning(each, whole)).toBe(true);
            expect(isBeginning(values[index - 1] ?? {}, each)).toBe(true);
          });
          expect(values.at(-1)).toEqual(whole);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("shows the value of each prefix, and leaves what it showed before as it was", () => {
    const json = '{"a":[1,{"b":"x\\"y"}],"n":12,"t":true}';
    const values = seen(anything, json.split("")).map((each) => JSON.stringify(each.value));
    expect([...new Set(values)]).toMatchInlineSnapshot(`
      [
        "{}",
        "{"a":[]}",
        "{"a":[1]}",
        "{"a":[1,{}]}",
        "{"a":[1,{"b":""}]}",
        "{"a":[1,{"b":"x"}]}",
        "{"a":[1,{"b":"x\\""}]}",
        "{"a":[1,{"b":"x\\"y"}]}",
        "{"a":[1,{"b":"x\\"y"}],"n":12}",
        "{"a":[1,{"b":"x\\"y"}],"n":12,"t":true}",
      ]
    `);
    const first = growingJson(anything);
    first.add('{"a":["x');
    const before = first.snapshot().value;
    first.add('yz","w"');
    expect(before).toEqual({ a: ["x"] });
  });

  it("says where it grows", () => {
    expect(seen(anything, ['{"a":[1,{"b":"x', '"', "}", "]}"]).map((each) => each.growing)).toEqual(
      [["a", 1, "b"], ["a", 1], ["a"], []],
    );
  });

  it("never shows half of a surrogate pair", () => {
    for (const written of ["\u{1F332}", String.raw`\ud83c\udf32`]) {
      const json = `{"a":"${written}"}`;
      for (let index = 0; index <= json.length; index++) {
        const shown = seen(anything, cut(json, [index])).map(({ value }) => value["a"] ?? "");
        expect(shown.every((each) => each === "" || each === "\u{1F332}")).toBe(true);
      }
    }
  });

  it.each([
    ["a fault", '{"a":1,"b":tru3,"c":4}', { a: 1 }],
    ["a list outside", "[1]", {}],
    ["a code fence", '```json\n{"a":1}', {}],
    ["a bad escape", String.raw`{"a":"one \x two"}`, { a: "one " }],
    ["a key that stands twice", '{"a":1,"a":2}', { a: 2 }],
    ["what follows the object", '{"a":1}{"b":2}', { a: 1 }],
    ["a number that is none", '{"a":1,"b":1e,"c":2}', { a: 1 }],
  ])("shows what is known of %s", (_, json, expected) => {
    expect(seen(anything, json.split("")).at(-1)?.value).toEqual(expected);
  });
});

describe("outputs with a schema", () => {
  const node = z.object({
    name: z.string(),
    get children() {
      return z.array(node);
    },
  });
  const fields = describeFields(
    {
      label: z.enum(["sure", "unsure"]),
      note: z.string().nullable(),
      parts: z.array(
        z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("text"), text: z.string() }),
          z.object({ kind: z.literal("link"), to: z.string() }),
        ]),
      ),
      pair: z.tuple([z.enum(["low", "high"]), z.string()]),
      tree: node,
      extra: z.record(z.string(), z.string()),
      page: z.int().optional(),
      unit: z.string().nullable().optional(),
      sides: z.int().default(2),
      place: z.object({ row: z.int().optional(), name: z.string() }),
    },
    "test",
  );
  const shown = (json: string): unknown => seen(growthGuide(fields), [json]).at(-1)?.value;

  it.each([
    ['{"label":"su', {}],
    ['{"label":"sure"', { label: "sure" }],
    ['{"note":"Be', { note: "Be" }],
    ['{"note":null', { note: null }],
    ['{"parts":[{"kind":"li', { parts: [{}] }],
    ['{"parts":[{"kind":"link","to":"htt', { parts: [{ kind: "link", to: "htt" }] }],
    ['{"pair":["lo', { pair: [] }],
    ['{"pair":["low","b', { pair: ["low", "b"] }],
    [
      '{"tree":{"name":"a","children":[{"name":"b',
      { tree: { name: "a", children: [{ name: "b" }] } },
    ],
    ['{"extra":{"k":"v', { extra: { k: "v" } }],
    ['{"page":null,"sides":null,"note":"B', { note: "B" }],
    ['{"page":3,"unit":null', { page: 3, unit: null }],
    ['{"place":{"row":null,"name":"a', { place: { name: "a" } }],
    ['{"unknown":{"a":[1,"b"]},"note":"Be', { note: "Be" }],
  ])(
    "of %s shows labels only when complete, known keys alone, and no `null` for nothing",
    (json, expected) => {
      expect(shown(json)).toEqual(expected);
    },
  );
});

describe("a listener of growing outputs", () => {
  /** Entries of all values that a list of so many numbers gives, written in single characters. */
  const copied = (length: number): number => {
    let entries = 0;
    const json = JSON.stringify({ list: Array.from({ length }, (_, index) => index % 10) });
    const stream = partialStream(
      "p",
      () => growingJson(anything),
      ({ list }) => (entries += (list as readonly number[] | undefined)?.length ?? 0),
    );
    stream.begin();
    for (const character of json) stream.add({ content: character });
    return entries;
  };

  it("gets values whose size together is linear in the reply", () => {
    expect(copied(4_000) / copied(2_000)).toBeLessThan(2.2);
    expect(copied(8_000) / copied(4_000)).toBeLessThan(2.2);
  });

  it("gets a text whose beginnings together are linear in the reply", () => {
    const shown = (length: number): number => {
      let characters = 0;
      const stream = partialStream(
        "p",
        () => growingJson(anything),
        ({ text }) => (characters += (text as string | undefined)?.length ?? 0),
      );
      stream.begin();
      for (const character of `{"text":"${"a".repeat(length)}"}`)
        stream.add({ content: character });
      return characters;
    };
    expect(shown(64_000) / shown(32_000)).toBeLessThan(2.2);
    expect(shown(128_000) / shown(64_000)).toBeLessThan(2.2);
  });

  it("gets each number of a short list at once", () => {
    const lists: unknown[] = [];
    const stream = partialStream(
      "p",
      () => growingJson(anything),
      (outputs) => lists.push(outputs),
    );
    stream.begin();
    for (const character of '{"list":[1,2,3]}') stream.add({ content: character });
    expect(lists).toEqual([{}, { list: [] }, { list: [1] }, { list: [1, 2] }, { list: [1, 2, 3] }]);
  });
});
