import { image, signature, text } from "espalier";
import { expect, expectTypeOf, it } from "vitest";
import type { ImageUrl, InputOf } from "espalier";
import { z } from "zod";
import { fieldParser, inputExcess } from "../../src/signature/index.ts";
import { dataUrl, plainPng } from "../support/png.ts";

const red = dataUrl(plainPng([200, 30, 30]));
const fields = { picture: image("A sign."), others: z.array(image()).optional() };

it("an image is an input with a type of its own, also optional and in lists", () => {
  const look = signature({
    name: "look",
    instruction: "Say what it is.",
    input: { ...fields, old: image().nullable() },
    output: { what: text("what") },
  });
  expect(look.fields.input.map(({ name, shape, isOptional }) => [name, shape, isOptional])).toEqual(
    [
      ["picture", { kind: "image" }, false],
      ["others", { kind: "list", items: { kind: "image" } }, true],
      ["old", { kind: "nullable", of: { kind: "image" } }, false],
    ],
  );
  expectTypeOf<InputOf<typeof fields>["picture"]>().toEqualTypeOf<ImageUrl>();
  type What = (typeof look)["$types"]["output"]["what"];
  expectTypeOf<What>().not.toExtend<ImageUrl>();
});

it.each([
  ["an output", { input: {}, output: { drawn: image() } }, 'output "drawn"'],
  ["a list of outputs", { input: {}, output: { all: z.array(image()) } }, "which no model writes"],
  [
    "inside of an output",
    { input: {}, output: { one: z.object({ of: image().nullable() }) } },
    'output "one"',
  ],
  [
    "inside of an input",
    { input: { card: z.object({ front: image() }) }, output: { a: text("a") } },
    "Give the image a field of its own",
  ],
])("an image is refused as %s, by the field's name", (_name, { input, output }, said) => {
  expect(() => signature({ name: "draw", instruction: "", input, output })).toThrow(said);
});

it.each([
  ["a path", "scans/a.png", "a file is read with `readImage(path)`"],
  ["an SVG", "data:image/svg+xml;base64,PHN2Zz4=", "got image/svg+xml"],
  ["a PNG named JPEG", red.replace("image/png", "image/jpeg"), "image/jpeg, got image/png"],
  ["an SVG named PNG", "data:image/png;base64,PHN2ZyBvbmxvYWQ9", "an SVG, which is a program"],
  ["a cut end", red.slice(0, -1), "got other characters or a truncated end"],
  ["characters that are not base64", `${red.slice(0, -8)}!!!!AAAA`, "got other characters"],
  ["credentials", "https://me:secret@example.org/a.png", "an address without credentials"],
  ["a script", "javascript:alert(1)", "expected an https: address"],
  ["an endless address", `https://example.org/${"a".repeat(9_000)}`, "at most 8192 characters"],
  ["no text", 7, "expected string"],
])("the value must not be %s, and the message says what was expected", (_name, value, said) => {
  const parsed = fieldParser({ picture: image() }, "strict")({ picture: value });
  expect(parsed.ok).toBe(false);
  expect(parsed.ok ? [] : parsed.problems).toEqual([expect.stringContaining("`picture`: ")]);
  expect(parsed.ok ? "" : parsed.problems.join()).toContain(said);
  expect(parsed.ok ? "" : parsed.problems.join()).not.toContain("secret");
});

it("data of each kind and addresses are taken, up to 10 MiB", () => {
  const parse = fieldParser({ picture: image() }, "strict");
  const gif = dataUrl(Buffer.from("GIF89a-and-more"), "image/gif");
  const jpeg = dataUrl(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), "image/jpeg");
  const webp = dataUrl(Buffer.from("RIFF\0\0\0\0WEBPVP8 "), "image/webp");
  for (const picture of [red, gif, jpeg, webp, "https://example.org/a?b=c", "http://host/x.png"]) {
    expect(parse({ picture })).toEqual({ ok: true, value: { picture } });
  }
  const sized = (bytes: number) =>
    dataUrl(Buffer.concat([plainPng([0, 0, 0]), Buffer.alloc(bytes)]));
  expect(parse({ picture: sized(10_000_000) }).ok).toBe(true);
  const large = parse({ picture: sized(10 * 2 ** 20) });
  expect(large.ok ? "" : large.problems[0]).toBe(
    "`picture`: expected an image of at most 10 MiB, got 10.0 MiB",
  );
  // A limit on texts is none on pictures.
  expect(inputExcess({ picture: image(), note: z.string() }, { picture: red }, 10)).toBeNull();
});
