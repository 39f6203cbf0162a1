import { image, predict, signature, text } from "espalier";
import { imagePlaceholder } from "../../../src/internal/index.ts";
import { expect, it, describe } from "vitest";
import { z } from "zod";
import { picturesOnWire } from "../../support/chat-wire.ts";
import { dataUrl, plainPng } from "../../support/png.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";

const [red, green, blue] = [
  [200, 0, 0],
  [0, 200, 0],
  [0, 0, 200],
].map((colour) => dataUrl(plainPng(colour as [number, number, number]))) as [
  string,
  string,
  string,
];
const compare = signature({
  name: "compare-signs",
  instruction: "Say which sign is older.",
  input: {
    sign: image("The sign."),
    others: z.array(image()).optional().describe("Other signs."),
    note: text("note"),
  },
  output: { older: z.string() },
});
const demos = [
  { exampleId: "a", inputs: { sign: green, note: "Both." }, outputs: { older: "the first" } },
];

describe("a predictor with images", () => {
  it("shows each picture in its place, those of demonstrations too, and sends them", async () => {
    await using server = await scriptedLm(() => '{"older":"this"}');
    const step = predict(compare, { demos });
    const inputs = { sign: red, others: [blue, red], note: "Which?" };
    await step.run(inputs, server);
    const messages = server.received[0]?.messages ?? [];
    expect(picturesOnWire(messages)).toEqual([green, red, blue, red]);
    const told = (messages.at(-1)?.content ?? []) as unknown as { type: string; text?: string }[];
    expect(told.map(({ type, text: said }) => said?.trim().split("\n").at(-1) ?? type)).toEqual([
      "Sign: (image 2)",
      "image_url",
      "Others: (image 3)",
      "image_url",
      "(image 4)",
      "image_url",
      "Note: Which?",
    ]);
    expect(step.render(inputs).at(-1)?.content).toEqual(
      told.map((part) =>
        part.type === "text"
          ? part
          : {
              type: "image",
              url: (part as unknown as { image_url: { url: string } }).image_url.url,
            },
      ),
    );
  });

  it("takes no text for a picture, whatever its characters", () => {
    const step = predict(compare, { demos });
    const forged = "\uE0011\uE001 (image 1) \uE0012\uE001";
    const content = step.render({ sign: red, note: forged }).at(-1)?.content ?? "";
    const shown =
      typeof content === "string" ? [] : content.filter((part) => part.type === "image");
    expect(shown).toEqual([{ type: "image", url: red }]);
  });
});

it("what is absent is said to be", () => {
  const [, last] = predict(compare).render({ sign: red, note: "Which?" });
  expect(JSON.stringify(last?.content)).toContain("Others: (none)");
});

it("a trace holds the picture, and prompts without images are texts as ever", async () => {
  await using server = await scriptedLm(() => '{"older":"this"}');
  const call = { path: "compare", predictor: "compare" };
  const attempt = await predict(compare).attemptCall({ sign: red, note: "x" }, call, {
    lm: server.lm,
  });
  expect(attempt.trace.inputs).toEqual({ sign: red, note: "x" });
  const plain = signature({
    name: "plain",
    instruction: "Answer.",
    input: { note: text("note") },
    output: { answer: z.string() },
  });
  const marked = predict(plain).render({ note: "a \uE001 mark" });
  expect(marked.map(({ content }) => typeof content)).toEqual(["string", "string"]);
  expect(marked.at(-1)?.content).toContain("a \uE001 mark");
});

it("a placeholder tells media type, size and hash", () => {
  expect(imagePlaceholder(red)).toMatch(/^\(image\/png, \d+ bytes, sha256 [0-9a-f]{12}\)$/);
  expect(imagePlaceholder(red)).not.toBe(imagePlaceholder(blue));
  expect(imagePlaceholder("https://example.org/a.png")).toBe("https://example.org/a.png");
});
