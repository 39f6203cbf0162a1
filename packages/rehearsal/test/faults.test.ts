import { describe, expect, it } from "vitest";
import type { RehearsalServer, RehearsalServerOptions } from "../src/index.ts";
import { serveRehearsal } from "../src/index.ts";

const schema = { type: "object", properties: { answer: { type: "string" } } };

describe("the fault mode", () => {
  it("spreads faults over calls as seeded, so that asking again may succeed", async () => {
    const options = {
      seed: 3,
      faults: { rateLimit: 0.15, serverError: 0.15, brokenEnvelope: 0.15, unavailable: 0.15 },
    };
    const first = await outcomes(options, 60);
    const second = await outcomes(options, 60);
    const sound = first.filter((outcome) => outcome === "sound").length;

    expect(second).toEqual(first);
    expect(new Set(first)).toEqual(new Set(["sound", "429", "500", "503", "broken"]));
    expect(sound).toBeGreaterThan(12);
    expect(sound).toBeLessThan(36);
  });

  it("plays every kind of broken envelope", async () => {
    await using server = await serveRehearsal({ faults: { brokenEnvelope: 1 } });
    for (let index = 0; index < 40; index++) await outcomeOf(server, "same");
    const kinds = Object.keys(server.calls().byFault).toSorted();

    expect(kinds).toEqual([
      "connection-reset",
      "html-page",
      "invalid-json",
      "truncated-body",
      "wrong-shape",
    ]);
  });

  it("spoils content by request, so that asking again brings the same", async () => {
    await using server = await serveRehearsal({ faults: { unparseableContent: 0.5 } });
    const questions = Array.from({ length: 24 }, (_, index) => `Question ${index}?`);
    const once = await Promise.all(questions.map((question) => isParseable(server, question)));
    const twice = await Promise.all(questions.map((question) => isParseable(server, question)));

    expect(twice).toEqual(once);
    expect(once).toContain(true);
    expect(once).toContain(false);
  });

  it("stalls until the client gives up, and counts the call", async () => {
    const leaving = new AbortController();
    // Its time is looked at when a call has come.
    const now = (): number => (leaving.abort(new Error("left")), 0);
    const clock = { now, sleep: async () => {} };
    await using server = await serveRehearsal({ faults: { stall: 1 }, clock });
    await expect(send(server, "anything", leaving.signal)).rejects.toThrow("left");
    await expect.poll(() => server.calls().byFault).toEqual({ stall: 1 });

    expect(server.calls().byEndpoint["POST /v1/chat/completions"]).toMatchObject({
      received: 1,
      byStatus: { none: 1 },
    });
  });

  it("can be stopped while a call is stalled", async () => {
    const server = await serveRehearsal({ faults: { stall: 1 } });
    const [outcome] = await Promise.all([outcomeOf(server, "anything"), stopped(server)]);

    expect(outcome).toBe("broken");
    await expect(fetch(`${server.url}/health`)).rejects.toThrow("fetch failed");
  });

  it("leaves the utility routes alone", async () => {
    await using server = await serveRehearsal({ faults: { serverError: 1 } });

    expect((await fetch(`${server.url}/v1/models`)).status).toBe(200);
  });

  it("refuses shares that add up to more than all calls", async () => {
    await expect(
      serveRehearsal({ faults: { stall: 0.7, serverError: 0.7 } }),
    ).rejects.toMatchObject({
      code: "parameter-invalid",
    });
  });
});

describe("the call report", () => {
  it("counts by endpoint and status, and what was answered before", async () => {
    await using server = await serveRehearsal();
    await send(server, "one");
    await send(server, "one");
    await send(server, "two");
    await fetch(`${server.url}/nothing`);
    const report = (await (await fetch(`${server.url}/rehearsal/calls`)).json()) as object;

    expect(report).toMatchObject({
      total: 4,
      byEndpoint: {
        "POST /v1/chat/completions": { received: 3, byStatus: { 200: 3 }, repeated: 1 },
        "GET /nothing": { received: 1, byStatus: { 404: 1 }, repeated: 0 },
      },
    });
  });

  it("holds the latency drawn for each call, and what the call really took", async () => {
    const options = { latencyMs: { least: 5, most: 25 }, seed: 9 };
    await using first = await serveRehearsal(options);
    await using second = await serveRehearsal(options);
    for (const server of [first, second]) {
      for (let index = 0; index < 5; index++) await send(server, `question ${index}`);
    }
    const drawn = first.calls().log.map(({ latencyMs }) => latencyMs);

    expect(second.calls().log.map(({ latencyMs }) => latencyMs)).toEqual(drawn);
    expect(new Set(drawn).size).toBe(5);
    expect(drawn.every((latency) => latency >= 5 && latency <= 25)).toBe(true);
    // Timers may fire a millisecond early.
    expect(first.calls().log.every(({ latencyMs, measuredMs }) => measuredMs > latencyMs - 2)).toBe(
      true,
    );
  });
});

/** Stops a server once it holds a call. */
async function stopped(server: RehearsalServer): Promise<void> {
  await expect.poll(() => server.calls().total).toBe(1);
  await server.stop();
}

async function outcomes(
  options: RehearsalServerOptions,
  count: number,
): Promise<readonly string[]> {
  await using server = await serveRehearsal(options);
  const found: string[] = [];
  for (let index = 0; index < count; index++) found.push(await outcomeOf(server, "same question"));
  return found;
}

async function outcomeOf(server: RehearsalServer, question: string): Promise<string> {
  try {
    const reply = await send(server, question);
    if (!reply.ok) return String(reply.status);
    const body = (await reply.json()) as { choices?: unknown };
    return body.choices === undefined ? "broken" : "sound";
  } catch {
    return "broken";
  }
}

async function isParseable(server: RehearsalServer, question: string): Promise<boolean> {
  const reply = await send(server, question);
  const body = (await reply.json()) as { choices: [{ message: { content: string } }] };
  try {
    JSON.parse(body.choices[0].message.content);
    return true;
  } catch {
    return false;
  }
}

async function send(
  server: RehearsalServer,
  question: string,
  signal: AbortSignal | null = null,
): Promise<Response> {
  return fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    signal,
    body: JSON.stringify({
      messages: [{ role: "user", content: question }],
      response_format: { type: "json_schema", json_schema: { name: "reply", schema } },
    }),
  });
}
