import { image, predict, signature } from "espalier";
import { connect } from "espalier/lm";
import { expect, it } from "vitest";
import { z } from "zod";
import { hosted } from "../../../src/hosted/index.ts";
import { picturesOnWire } from "../../support/chat-wire.ts";
import { dataUrl, plainPng } from "../../support/png.ts";
import { chat, chatPath, refuse, vllmServer } from "../../support/vllm-server.ts";

const look = signature({
  name: "look",
  instruction: "Name the colour.",
  input: { sign: image() },
  output: { colour: z.enum(["red", "blue"]) },
});
const sign = dataUrl(plainPng([200, 0, 0]));

it("a picture reaches vLLM in its own shape, whole and streamed", async () => {
  await using server = await vllmServer();
  server.always(chatPath, chat({ content: '{"colour":"red"}' }));
  await using lm = connect({ baseUrl: server.baseUrl, model: "test-model" });
  await predict(look).run({ sign }, { lm });
  await predict(look).run({ sign }, { lm, onDelta: () => undefined });
  const sent = server.requests.filter(({ path }) => path === chatPath);
  expect(sent.map(({ body }) => picturesOnWire(body.messages))).toEqual([[sign], [sign]]);
  expect(sent[1]?.body.stream).toBe(true);
});

it("a picture reaches a hosted provider as data", async () => {
  await using server = await vllmServer();
  server.always(chatPath, chat({ content: '{"colour":"red"}' }));
  const lm = hosted({
    provider: "openai",
    model: "gpt-4o-mini",
    apiKey: "none",
    apiUrl: server.baseUrl,
  });
  await predict(look).run({ sign }, { lm });
  const body = server.requests.find(({ path }) => path === chatPath)?.body;
  expect(JSON.stringify(body?.messages)).toContain(sign);
});

it("a text model's refusal names the model and what to do, and is not corrected", async () => {
  await using server = await vllmServer();
  server.always(chatPath, refuse(400, "test-model is not a multimodal model None"));
  await using lm = connect({ baseUrl: server.baseUrl, model: "test-model" });
  await expect(predict(look).run({ sign }, { lm })).rejects.toMatchObject({
    code: "lm-request-refused",
    status: 400,
    message: expect.stringMatching(
      /^The model `test-model` reads only text, but the request contains an image .*Leave the image out, or use a model that reads images/,
    ) as string,
  });
  expect(server.requests.filter(({ path }) => path === chatPath)).toHaveLength(1);
});
