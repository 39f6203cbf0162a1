import { deflateSync, crc32 } from "node:zlib";
import { rehearsalLm } from "@espalier/rehearsal";
import { image, predict, signature, text } from "../../../src/index.ts";
import { openAiCompatible } from "../../../src/lm/index.ts";
import { serveRehearsal } from "@espalier/rehearsal";
import { expect, it } from "vitest";
import { z } from "zod";
import { readPng } from "../src/reading/png.ts";
import { seenImage } from "../src/reading/seen-image.ts";
import { dataUrl, plainPng, png, pngOfText } from "../../../test/support/png.ts";

const look = signature({
  name: "look",
  instruction: "Name the colour of the sign.",
  input: { sign: image("A road sign."), note: text("note").optional() },
  output: { colour: z.enum(["red", "green", "blue"]).describe("Colour of the sign.") },
});
const colours = { red: [220, 20, 20], green: [20, 150, 60], blue: [30, 60, 210] } as const;

it("answers by a picture's mean colour, the same in process and over HTTP", async () => {
  await using server = await serveRehearsal();
  const overHttp = openAiCompatible({ baseUrl: `${server.url}/v1`, model: "rehearsal" });
  for (const lm of [rehearsalLm(), overHttp]) {
    for (const [colour, rgb] of Object.entries(colours)) {
      const sign = dataUrl(plainPng(rgb));
      expect(await predict(look).run({ sign, note: "x\ny" }, { lm })).toEqual({ colour });
    }
  }
  const bad = overHttp.doGenerate({
    messages: [{ role: "user", content: [{ type: "image", url: "data:image/png;base64,AAAA" }] }],
    sampling: predict(look).settings.sampling,
    seed: 0,
  });
  await expect(bad).rejects.toThrow("Input should be a message with text or images");
});

it("reads what a PNG says of itself, and counts tokens by its size", async () => {
  const told = pngOfText(["Harbour Bakery", "Total 7.10"]);
  expect(seenImage(dataUrl(told))).toBe("Harbour Bakery\nTotal 7.10");
  const usageOf = async (size: number): Promise<number> => {
    const reply = await rehearsalLm().doGenerate({
      messages: [
        {
          role: "user",
          content: [{ type: "image", url: dataUrl(plainPng(colours.red, size)) }],
        },
      ],
      sampling: predict(look).settings.sampling,
      seed: 0,
    });
    return reply.usage.promptTokens ?? 0;
  };
  expect((await usageOf(280)) - (await usageOf(28))).toBe(99);
});

it("tells of other pictures what their first bytes tell", () => {
  expect(seenImage("https://example.org/a.png")).toBe("an image at https://example.org/a.png");
  expect(seenImage(dataUrl(Buffer.from("GIF89a-"), "image/gif"))).toBe("a GIF image");
  expect(seenImage(dataUrl(plainPng(colours.blue, 12)))).toBe(
    "a PNG image of 12 by 12 pixels, on average blue",
  );
});

it("decodes each of PNG's filters", () => {
  // A row of each filter, whose pixels are all (10, 20, 30) once decoded.
  const pixel = [10, 20, 30];
  const rows = [
    [0, ...pixel, ...pixel],
    [1, ...pixel, 0, 0, 0],
    [2, 0, 0, 0, 0, 0, 0],
    [3, 5, 10, 15, 0, 0, 0],
    [4, 0, 0, 0, 0, 0, 0],
  ].flat();
  const whole = png({ width: 2, height: 5, colourAt: () => [0, 0, 0] });
  const packed = deflateSync(Buffer.from(rows));
  const body = Buffer.concat([Buffer.from("IDAT"), packed]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(packed.length);
  sum.writeUInt32BE(crc32(body));
  const filtered = Buffer.concat([whole.subarray(0, 33), length, body, sum]);
  expect(readPng(filtered)).toEqual({ width: 2, height: 5, mean: [10, 20, 30] });
});

it("a damaged or enormous PNG has no mean, and nothing else breaks", () => {
  const sound = plainPng(colours.red, 4);
  for (let length = 0; length < sound.length; length++) {
    expect(() => readPng(sound.subarray(0, length))).not.toThrow();
  }
  const wide = Buffer.from(sound);
  wide.writeUInt32BE(0xff_ff_ff_ff, 16);
  wide.writeUInt32BE(0xff_ff_ff_ff, 20);
  expect(readPng(wide)).toMatchObject({ width: 0xff_ff_ff_ff });
  expect(readPng(wide)?.mean).toBeUndefined();
});
