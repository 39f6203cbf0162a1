import { image, predict, program, signature, text } from "espalier";
import { chatModel, chatServer, serving } from "espalier/serve";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { picturesOnWire } from "../../support/chat-wire.ts";
import { dataUrl, plainPng } from "../../support/png.ts";
import type { ScriptedLm } from "../../support/scripted-lm.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";
import { clientOf } from "../served.ts";

const [red, blue] = [dataUrl(plainPng([200, 0, 0])), dataUrl(plainPng([0, 0, 200]))];
const answer = { answer: text("answer") };
const chatOf = (name: string, input: Parameters<typeof signature>[0]["input"]) => {
  const step = signature({ name, instruction: "Answer.", input, output: answer });
  return chatModel({
    id: name,
    program: program({
      name,
      version: "1",
      input: step.input,
      output: step.output,
      predictors: { step: predict(step) },
      forward: (given, { predictors }) => predictors.step(given as never),
    }) as never,
  });
};

let lm: ScriptedLm;
let server: Awaited<ReturnType<typeof chatServer>>;
beforeAll(async () => {
  lm = await scriptedLm(() => '{"answer":"A sign."}');
  server = await chatServer({
    serving: serving({
      name: "signs",
      models: [
        chatOf("one", { question: text("question"), sign: image() }),
        chatOf("alone", { sign: image() }),
        chatOf("many", { question: text("question"), signs: z.array(image()) }),
        chatOf("pair", { before: image().optional(), after: image(), note: text("note") }),
        chatOf("book", { pages: z.array(image()), question: text("question"), back: image() }),
        chatOf("blind", { question: text("question") }),
      ],
    }),
    lm: lm.lm,
    port: 0,
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await lm[Symbol.asyncDispose]();
});

const part = (url: string) => ({ type: "image_url" as const, image_url: { url } });
const told = (words: string) => ({ type: "text" as const, text: words });
const asked = (model: string, ...content: (ReturnType<typeof part> | ReturnType<typeof told>)[]) =>
  clientOf(server).chat.completions.create({ model, messages: [{ role: "user", content }] });
const shown = () =>
  JSON.stringify(lm.received.at(-1)?.messages.at(-1)).replaceAll(/data:[^"]*/g, "");
const sent = () => picturesOnWire(lm.received.at(-1)?.messages);

test("images of a message go to the fields that take them", async () => {
  const reply = await asked("one", told("What is it?"), part(red));
  expect(reply.choices[0]?.message.content).toBe("A sign.");
  expect(sent()).toEqual([red]);
  await asked("alone", part(blue));
  expect(sent()).toEqual([blue]);
  await asked("many", told("What are they?"), part(red), part(blue));
  expect(sent()).toEqual([red, blue]);
  await asked("many", told("Is there any?"));
  expect(sent()).toEqual([]);
});

test("too few images go to required fields, and the others to fields in order", async () => {
  await asked("pair", told("A sign."), part(red));
  expect(sent()).toEqual([red]);
  expect(shown()).toMatch(/Before.*none.*After.*image 1/s);
  await asked("pair", told("A sign."), part(red), part(blue));
  expect(shown()).toMatch(/Before.*image 1.*After.*image 2/s);
  await asked("book", told("Which?"), part(red), part(blue), part(red));
  expect(shown()).toMatch(/Pages.*image 1.*image 2.*Back.*image 3/s);
  await asked("book", told("Which?"), part(blue));
  expect(shown()).toMatch(/Pages.*none.*Back.*image 1/s);
});

test("images go to the fields that a message in JSON leaves open", async () => {
  const address = "https://example.org/before.png";
  const chat = chatOf("json", { before: image().optional(), after: image(), size: z.int() });
  await using other = await chatServer({
    serving: serving({ name: "signs", models: [chat] }),
    lm: lm.lm,
    port: 0,
  });
  await clientOf(other).chat.completions.create({
    model: "json",
    messages: [
      { role: "user", content: [told(JSON.stringify({ before: address, size: 3 })), part(red)] },
    ],
  });
  expect(sent()).toEqual([address, red]);
});

test("responses take them too, and a conversation keeps its last ones", async () => {
  const response = await clientOf(server).responses.create({
    model: "one",
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "What is it?" },
          { type: "input_image", image_url: red, detail: "auto" },
        ],
      },
      { role: "assistant", content: "A sign." },
      { role: "user", content: "Sure?" },
    ],
  });
  expect(response.output_text).toBe("A sign.");
  expect(sent()).toEqual([red]);
});

test("an address is passed on, and this server asks nobody for it", async () => {
  // A request to another host would fail in tests.
  const address = "http://127.0.0.1:9/latest/meta-data";
  await asked("one", told("What is it?"), part(address));
  expect(sent()).toEqual([address]);
});

test("an image larger than a plain body's limit is taken, and one beyond 10 MiB refused", async () => {
  const sized = (bytes: number) =>
    dataUrl(Buffer.concat([plainPng([1, 2, 3]), Buffer.alloc(bytes)]));
  const large = sized(2 * 2 ** 20);
  await asked("one", told("What is it?"), part(large));
  expect(sent()).toEqual([large]);
  await expect(asked("one", told("What is it?"), part(sized(11 * 2 ** 20)))).rejects.toMatchObject({
    status: 400,
    param: "messages[0].content[1].image_url",
    message: expect.stringContaining("at most 10 MiB") as string,
  });
  await expect(asked("one", told("What is it?"), part(sized(14 * 2 ** 20)))).rejects.toMatchObject({
    status: 413,
  });
});

test("what a program cannot see or take is refused with a 400 that says so, without a call", async () => {
  const before = lm.received.length;
  await expect(asked("blind", told("What is it?"), part(red))).rejects.toMatchObject({
    status: 400,
    param: "messages[0].content[1]",
    message: expect.stringContaining("reads only text, and this is `image_url`") as string,
  });
  await expect(asked("one", told("What is it?"), part("file:///etc/passwd"))).rejects.toMatchObject(
    {
      status: 400,
      message: expect.stringContaining("expected an https: address") as string,
    },
  );
  await expect(
    asked("one", told("What is it?"), part("data:image/svg+xml;base64,PHN2Zz4=")),
  ).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("got image/svg+xml") as string,
  });
  await expect(asked("one", told("What is it?"))).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("`sign`") as string,
  });
  await expect(asked("one", told("What is it?"), part(red), part(blue))).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("`sign`") as string,
  });
  expect(lm.received).toHaveLength(before);
});
