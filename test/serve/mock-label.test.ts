import type { LanguageModel } from "espalier";
import { chatServer, serving } from "espalier/serve";
import { mmuRag } from "../../programs/r2rag/mmu-rag/index.ts";
import { expect, test } from "vitest";
import { asked, clientOf, declared, served } from "./served.ts";
import { answering, upstream } from "./upstream.ts";

/** A model that a rehearsal server serves: its name tells, and its URL does not. */
function standingIn(lm: LanguageModel): LanguageModel {
  return {
    identity: { provider: "vllm", model: "rehearsal" },
    doGenerate: (request, options) => lm.doGenerate(request, options),
  };
}

const header = "x-espalier-lm";

test("each answer of a mock says so, whole or streamed", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, { lm: standingIn(lm.lm) });
  const { chat } = clientOf(server);
  const whole = await chat.completions.create(asked()).withResponse();
  expect(whole.response.headers.get(header)).toBe("rehearsal");
  expect(whole.data.system_fingerprint).toBe("rehearsal");

  const stream = await chat.completions
    .create({ ...asked(), stream: true, stream_options: { include_usage: true } })
    .withResponse();
  expect(stream.response.headers.get(header)).toBe("rehearsal");
  const fingerprints: unknown[] = [];
  for await (const chunk of stream.data) fingerprints.push(chunk.system_fingerprint);
  expect(fingerprints.length).toBeGreaterThan(3);
  expect(new Set(fingerprints)).toEqual(new Set(["rehearsal"]));
});

test("so do answers of another protocol, refused requests, and what a web page may read", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, {
    lm: standingIn(lm.lm),
    adapters: [mmuRag({ model: "at-once" })],
    origins: ["https://chat.example"],
  });
  const post = (path: string, body: object) =>
    fetch(server.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://chat.example" },
      body: JSON.stringify(body),
    });
  const responses = [
    await post("/run", { question: "Where?" }),
    await post("/evaluate", { query: "Where?", iid: "q1" }),
    await post("/v1/chat/completions", asked("Where?", "nowhere")),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 404]);
  for (const { headers, body } of responses) {
    expect(headers.get(header)).toBe("rehearsal");
    expect(headers.get("access-control-expose-headers")).toContain(header);
    await body?.cancel();
  }
});

test("a server says so as well where only an LM that a program names is a mock", async () => {
  await using lm = await upstream(answering("There."));
  const [model] = declared.models;
  if (model === undefined) throw new Error("There is no model.");
  const named = { ...model, lms: { judge: standingIn(lm.lm) } };
  await using server = await chatServer({
    serving: serving({ name: "towns", models: [named] }),
    lm: lm.lm,
  });
  expect((await fetch(`${server.url}/health`)).headers.get(header)).toBe("rehearsal");
});

test("answers of a model carry neither", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm);
  const { data, response } = await clientOf(server).chat.completions.create(asked()).withResponse();
  expect(response.headers.get(header)).toBeNull();
  expect(data).not.toHaveProperty("system_fingerprint");
});
