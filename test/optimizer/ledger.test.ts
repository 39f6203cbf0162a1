import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { LedgerEntry } from "espalier/lm";
import { connect } from "espalier/lm";
import type { OptimizeOptions } from "espalier/optimizer";
import type { FaultShares } from "@espalier/rehearsal";
import { readRun } from "espalier/optimizer";
import { serveRehearsal } from "@espalier/rehearsal";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runPlaces } from "./support/run-places.ts";

/** Stands before a server, passes everything on, and counts what the answers say they used. */
async function counting(target: string) {
  const counts = { calls: 0, promptTokens: 0, completionTokens: 0 };
  const proxy = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "GET", url = "/", headers } = request;
      void passOn(method, url, { type: headers["content-type"], body: Buffer.concat(chunks) }).then(
        ({ status, type, body }) => response.writeHead(status, { "content-type": type }).end(body),
      );
    });
  });
  const passOn = async (
    method: string,
    url: string,
    { type, body }: { readonly type: string | undefined; readonly body: Buffer },
  ) => {
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: type === undefined ? {} : { "content-type": type },
      ...(method === "POST" && { body }),
    });
    const text = await answer.text();
    if (answer.ok && url.endsWith("/chat/completions")) note(text);
    return {
      status: answer.status,
      type: answer.headers.get("content-type") ?? "application/json",
      body: text,
    };
  };
  const note = (body: string): void => {
    const { usage } = JSON.parse(body) as {
      usage: { prompt_tokens: number; completion_tokens: number };
    };
    counts.calls++;
    counts.promptTokens += usage.prompt_tokens;
    counts.completionTokens += usage.completion_tokens;
  };
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  const { port } = proxy.address() as AddressInfo;
  return {
    counts,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => proxy.close(() => closed())),
  };
}

async function runOverHttp(options: Partial<OptimizeOptions>, faults: FaultShares = {}) {
  await using studentServer = await serveRehearsal({ faults, seed: 3 });
  await using reflectionServer = await serveRehearsal({ faults, seed: 4 });
  await using student = await counting(studentServer.url);
  await using reflection = await counting(reflectionServer.url);
  const retry = { attempts: 12, baseDelayMs: 2, maxDelayMs: 20 };
  const open = (url: string) => connect({ baseUrl: `${url}/v1`, model: "rehearsal", retry });
  await using lm = open(student.url);
  await using reflectionLm = open(reflection.url);
  const { result } = await runPlaces({ ...options, lm, reflectionLm });
  const endpoint = "POST /v1/chat/completions";
  const answered = (server: typeof studentServer): number =>
    server.calls().byEndpoint[endpoint]?.byStatus["200"] ?? 0;
  return {
    result,
    counted: { student: student.counts, reflection: reflection.counts },
    answered: { student: answered(studentServer), reflection: answered(reflectionServer) },
    received: {
      student: studentServer.calls().byEndpoint[endpoint]?.received ?? 0,
      reflection: reflectionServer.calls().byEndpoint[endpoint]?.received ?? 0,
    },
  };
}

const shown = ({ calls, failedCalls, promptTokens, completionTokens }: LedgerEntry["billed"]) => ({
  calls: calls - failedCalls,
  promptTokens,
  completionTokens,
});

describe("the ledger at the end of a run, role by role,", () => {
  it.each<[string, Partial<OptimizeOptions>, FaultShares]>([
    ["without faults", { budget: { metricCalls: 80 } }, {}],
    ["with a step that a cap cuts short", { budget: { tokens: 40_000 } }, {}],
    ["with faults", { budget: { metricCalls: 60 } }, { serverError: 0.1, rateLimit: 0.1 }],
  ])("is what the servers answered, %s", async (_, options, faults) => {
    const { result, counted, answered } = await runOverHttp(options, faults);
    for (const role of ["student", "reflection"] as const) {
      const entry = result.ledger.byRole[role] as LedgerEntry;
      expect(shown(entry.billed)).toEqual(counted[role]);
      expect(counted[role].calls).toBe(answered[role]);
      expect(counted[role].calls).toBeGreaterThan(0);
    }
  });

  it("has every request that was sent again after a fault, those before a resumption included", async () => {
    await using folder = await temporaryFolder();
    const faults = { serverError: 0.15, rateLimit: 0.15 };
    const runFolder = folder.path;
    const { result, received } = await runOverHttp(
      { runFolder, budget: { metricCalls: 60 } },
      faults,
    );
    for (const role of ["student", "reflection"] as const) {
      const { calls = 0, retries = 0 } = result.ledger.byRole[role]?.billed ?? {};
      expect(calls + retries).toBe(received[role]);
      expect(result.ledger.byRole[role]?.logical).not.toHaveProperty("retries");
    }
    expect(result.ledger.total.billed.retries).toBeGreaterThan(0);
    expect(readRun(runFolder).billed.student).toEqual(result.ledger.byRole.student?.billed);
    // Nobody answers there: what the run was told is all on file.
    const lm = connect({ baseUrl: "http://127.0.0.1:1/v1", model: "rehearsal" });
    const budget = { metricCalls: 60 };
    const again = await runPlaces({ runFolder, resume: true, budget, lm, reflectionLm: lm });
    expect(again.result.ledger).toEqual(result.ledger);
  });

  it("adds up: what stands, what was cut short, and what was not asked again", async () => {
    const { result } = await runOverHttp({ budget: { tokens: 40_000 } });
    const { student, reflection } = result.ledger.byRole;
    const sum = (part: "calls" | "promptTokens" | "completionTokens"): number =>
      (student?.logical[part] ?? 0) + (reflection?.logical[part] ?? 0);
    expect(sum("calls")).toBe(result.spent.lmCalls);
    expect(sum("promptTokens") + sum("completionTokens")).toBe(result.spent.tokens);
    const asked = sum("calls") + result.cutShort.student.calls + result.cutShort.reflection.calls;
    expect(result.ledger.total.billed.calls).toBeLessThanOrEqual(asked);
  });
});
