import { expect, test, vi } from "vitest";
import type { APIError } from "openai";
import { connect, serverInfo } from "espalier/lm";
import { answering, beginStream, sendPiece, upstream } from "../../upstream.ts";
import { asked, clientOf, served } from "../../served.ts";

test("a language model killed in the middle of a stream ends it with an event that says so", async () => {
  await using lm = await upstream((response) => {
    beginStream(response);
    sendPiece(response, '{"answer": "The');
    response.write("", () => response.destroy());
  });
  await using server = await served(lm);
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...asked(), stream: true }),
  });
  const events = (await response.text()).split("\n\n").filter((event) => event !== "");
  expect(events.at(-1)).toBe("data: [DONE]");
  expect(JSON.parse(events.at(-2)?.slice("data: ".length) ?? "")).toEqual({
    error: {
      message: "No connection to the server could be made or kept.",
      type: "server_error",
      param: null,
      code: "lm_unreachable",
    },
  });
});

test("garbage from the language model is told as such, with 503", async () => {
  await using lm = await upstream((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end("data: <html>no</html>\n\n");
  });
  await using server = await served(lm);
  await expect(clientOf(server).chat.completions.create(asked())).rejects.toMatchObject({
    status: 503,
    code: "lm_bad_envelope",
  });
});

test.each([
  ["more than the limit", {}, "1000000000", "3600"],
  ["more than is left of the deadline", { deadlineMs: 20_000 }, "30", "30"],
])(
  "a language model that asks to wait %s is told at once, and the question's slot is free",
  async (_, options, wanted, told) => {
    let isBusy = true;
    await using lm = await upstream((response, request) => {
      if (!isBusy) return answering("There.")(response, request);
      response.writeHead(429, { "retry-after": wanted });
      response.end();
    });
    const retrying = connect({ baseUrl: lm.url, model: "scripted", concurrency: 1 });
    await using server = await served(lm, { lm: retrying, concurrency: 1, ...options });
    const { completions } = clientOf(server).chat;
    const error = await completions.create(asked()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 503, code: "lm_rate_limited" });
    expect((error as APIError).headers?.get("retry-after")).toBe(told);
    expect(lm.requests).toHaveLength(1);
    isBusy = false;
    const { choices } = await completions.create(asked());
    expect(choices[0]?.message.content).toBe("There.");
  },
);

test("a reply that is no answer is a failure of the program, with 500, and its text stays within", async () => {
  await using lm = await upstream(answering("fine"));
  await using garbage = await upstream((response) => {
    response.setHeader("content-type", "application/json");
    const message = { role: "assistant", content: "secret thoughts" };
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    response.end(
      JSON.stringify({ model: "m", choices: [{ message, finish_reason: "stop" }], usage }),
    );
  });
  await using server = await served(lm, { lm: garbage.lm });
  const error: unknown = await clientOf(server)
    .chat.completions.create(asked())
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 500, code: "output_unparseable" });
  expect(String(error)).not.toContain("secret thoughts");
});

test("/ready tells that the language model is gone, and heals when it is back", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, {
    checkLm: (signal) => serverInfo({ baseUrl: lm.url, signal }),
  });
  const ready = async () => {
    const response = await fetch(`${server.url}/ready`);
    return { status: response.status, ...((await response.json()) as object) };
  };
  const patience = { timeout: 60_000, interval: 100 };
  expect(await ready()).toEqual({ status: "ready", checks: { lm: "ok" } });
  await lm.kill();
  await vi.waitFor(async () => {
    expect(await ready()).toEqual({ status: "unavailable", checks: { lm: "lm-unreachable" } });
  }, patience);
  const { completions } = clientOf(server).chat;
  await expect(completions.create(asked())).rejects.toMatchObject({ status: 503 });
  await lm.restart();
  const { choices } = await completions.create(asked());
  expect(choices[0]?.message.content).toBe("There.");
  await vi.waitFor(
    async () => expect(await ready()).toMatchObject({ checks: { lm: "ok" } }),
    patience,
  );
});
