import { describe, expect, it, vi } from "vitest";
import type { LanguageModel } from "../../../src/contract/index.ts";
import type { LmError } from "../../../src/errors/index.ts";
import { openAiCompatible } from "../../../src/lm/index.ts";
import { holdTimers } from "../../support/hold-timers.ts";
import type { Answer, VllmServer } from "../../support/vllm-server.ts";
import { chat, chatPath, refuse, stall, vllmServer } from "../../support/vllm-server.ts";
import { faultOf } from "../fault-of.ts";
import { requestOf } from "../requests.ts";

describe("a stream", () => {
  const pieces =
    (...data: readonly string[]): Answer =>
    (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const piece of data) response.write(`data: ${piece}\n\n`);
    };
  const delta = (content: string): string =>
    JSON.stringify({ model: "m", choices: [{ delta: { content }, finish_reason: null }] });

  async function streamed(
    answer: Answer,
    {
      onDelta = () => undefined,
      signal,
      stallTimeoutMs,
    }: {
      readonly onDelta?: (server: VllmServer) => void;
      readonly signal?: AbortSignal;
      /** @default the client's own, which no busy machine exceeds */
      readonly stallTimeoutMs?: number;
    } = {},
  ): Promise<LmError> {
    await using server = await vllmServer();
    server.script(chatPath, answer);
    const lm: LanguageModel = openAiCompatible({
      baseUrl: server.baseUrl,
      model: "test-model",
      ...(stallTimeoutMs !== undefined && { stallTimeoutMs }),
    });
    return await faultOf(
      lm.doGenerate(requestOf("hi"), {
        onDelta: () => onDelta(server),
        ...(signal ? { signal } : {}),
      }),
    );
  }

  it("that falls silent is stalled", async () => {
    const fault = await streamed(pieces(delta("a")), { stallTimeoutMs: 80 });
    expect(fault).toMatchObject({ code: "lm-stalled" });
  });

  it.each([
    ["of no type", "", "no type"],
    ["of another type", "application/json", "application/json"],
  ])("that is none is a broken envelope: a reply %s", async (_name, type, shown) => {
    const fault = await streamed((_request, response) => {
      response.writeHead(200, type === "" ? {} : { "content-type": type });
      response.end('{"choices":[]}');
    });
    expect(fault).toMatchObject({ code: "lm-bad-envelope", isRetryable: true });
    expect(fault.message).toContain(`${shown}, \`{"choices":[]}\``);
  });

  it("leaves its connection to the next, also where the end of the response comes after [DONE]", async () => {
    await using server = await vllmServer();
    const ports = new Set<number | undefined>();
    const end = { choices: [{ delta: {}, finish_reason: "stop" }] };
    const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } };
    const last = [end, usage].map((piece) => JSON.stringify({ model: "m", ...piece }));
    server.always(chatPath, (received, response) => {
      ports.add(response.socket?.remotePort);
      pieces(delta("a"), ...last, "[DONE]")(received, response);
      setImmediate(() => response.end());
    });
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    for (let call = 0; call < 10; call++) {
      await lm.doGenerate(requestOf("hi"), { onDelta: () => undefined });
    }
    // Who comes before the end has been seen takes another.
    expect(ports.size).toBeLessThan(5);
  });

  it("that keeps coming is not stalled, however long it takes", async () => {
    await using server = await vllmServer();
    holdTimers();
    let heard = Promise.withResolvers<void>();
    server.script(chatPath, async (received, response) => {
      pieces(delta("a"))(received, response);
      for (let beat = 0; beat < 8; beat++) {
        await heard.promise;
        heard = Promise.withResolvers();
        vi.advanceTimersByTime(1_000);
        response.write(`data: ${delta("a")}\n\n`);
      }
      const usage = { prompt_tokens: 1, completion_tokens: 9 };
      const last = { model: "m", choices: [{ delta: {}, finish_reason: "stop" }], usage };
      response.end(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
    });
    const lm = openAiCompatible({
      baseUrl: server.baseUrl,
      model: "test-model",
      stallTimeoutMs: 1_500,
    });
    const reply = await lm.doGenerate(requestOf("hi"), { onDelta: () => heard.resolve() });
    expect(reply.content).toBe("aaaaaaaaa");
  });

  it("of comments alone is not stalled, until they fall silent as well", async () => {
    holdTimers();
    let beats = 0;
    const answer: Answer = async (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (; beats < 8 && !response.destroyed; beats++) {
        await new Promise((sent) => response.write(": still at it\n\n", sent));
        // The client hears it when it next looks.
        for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done));
        vi.advanceTimersByTime(1_000);
      }
      vi.advanceTimersByTime(1_000);
    };
    expect(await streamed(answer, { stallTimeoutMs: 1_500 })).toMatchObject({ code: "lm-stalled" });
    expect(beats).toBe(8);
  });

  it("with a piece that is not JSON is a broken envelope", async () => {
    expect(await streamed(pieces(delta("a"), "{oops"))).toMatchObject({ code: "lm-bad-envelope" });
  });

  it("that is refused when all of it has come ends neither the process nor the next request", async () => {
    await using server = await vllmServer();
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const thrown: unknown[] = [];
    const note = (error: unknown): void => void thrown.push(error);
    process.on("uncaughtExceptionMonitor", note);
    server.script(chatPath, (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: {"choices": 1}\n\ndata: ${delta("a")}\n\ndata: [DONE]\n\n`);
    });
    const fault = await faultOf(lm.doGenerate(requestOf("hi"), { onDelta: () => undefined }));
    expect(fault.code).toBe("lm-bad-envelope");
    server.script(chatPath, chat({ content: "Fine." }));
    await lm.doGenerate(requestOf("hi"));
    process.off("uncaughtExceptionMonitor", note);
    expect(thrown).toEqual([]);
  });

  it("that ends without a finish reason is a broken envelope", async () => {
    expect(await streamed(pieces(delta("a"), "[DONE]"))).toMatchObject({ code: "lm-bad-envelope" });
  });

  it("whose connection breaks is unreachable", async () => {
    const error = await streamed((received, response) => {
      pieces(delta("a"))(received, response);
      response.write("", () => response.socket?.destroy());
    });
    expect(error).toMatchObject({ code: "lm-unreachable" });
  });

  it("with an error in it is that error", async () => {
    const failed = JSON.stringify({ error: { message: "engine died", code: 500 } });
    const error = await streamed(pieces(delta("a"), failed));
    expect(error).toMatchObject({ code: "lm-server-error", isRetryable: true });
    expect(error.message).toContain("engine died");
  });

  it.each(["{oops", '{"error":{"message":"engine died"}}'])(
    "is heard as far as it came before %s, also where both come together",
    async (broken) => {
      let heard = 0;
      const together: Answer = (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(`data: ${delta("a")}\n\ndata: ${delta("b")}\n\ndata: ${broken}\n\n`);
      };
      await streamed(together, { onDelta: () => (heard += 1) });
      expect(heard).toBe(2);
    },
  );

  it("with an event named error is that error", async () => {
    const error = await streamed((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('event: error\ndata: {"message":"engine died","code":500}\n\n');
    });
    expect(error).toMatchObject({ code: "lm-server-error" });
    expect(error.message).toContain("engine died");
  });

  it("can be refused before it starts", async () => {
    expect(await streamed(refuse(400, "no such thing"))).toMatchObject({
      code: "lm-request-refused",
    });
  });
});

describe("an abort", () => {
  it.each(["whole", "streamed"])(
    "closes the HTTP request, so that the server stops: %s",
    async (kind) => {
      await using server = await vllmServer();
      server.script(chatPath, stall);
      const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
      const controller = new AbortController();
      const reason = new Error("enough");
      const call = lm.doGenerate(requestOf("hi"), {
        signal: controller.signal,
        ...(kind === "streamed" ? { onDelta: () => undefined } : {}),
      });
      const thrown = call.catch((error: unknown) => error);
      while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      controller.abort(reason);
      expect(await thrown).toBe(reason);
      await server.requests[0]?.aborted;
    },
  );

  it("in the middle of a stream keeps its reason", async () => {
    await using server = await vllmServer();
    server.script(chatPath, chat({ content: "a b c d" }));
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const controller = new AbortController();
    const reason = new Error("enough");
    const call = lm.doGenerate(requestOf("hi"), {
      signal: controller.signal,
      onDelta: () => controller.abort(reason),
    });
    await expect(call).rejects.toBe(reason);
  });
});
