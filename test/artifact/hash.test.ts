import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Artifact } from "espalier/artifact";
import { connect } from "espalier/lm";
import type { FaultShares } from "@espalier/rehearsal";
import { serveRehearsal } from "@espalier/rehearsal";
import { compileGuide } from "./travel-guide.ts";

describe("what was compiled is the same to the byte", () => {
  it("one call at a time and with 32 in flight", async () => {
    const [one, many] = [
      await compileGuide({ concurrency: 1 }),
      await compileGuide({ concurrency: 32 }),
    ];
    expect(bytesOf(many)).toBe(bytesOf(one));
    expect(many.hash).toBe(one.hash);
  });

  it("over a faulty server and a sound one", async () => {
    const sound = await overHttp({});
    const faulty = await overHttp({ stall: 0.1, serverError: 0.1, brokenEnvelope: 0.1 });
    expect(faulty.faults).toBeGreaterThan(5);
    expect(bytesOf(faulty.artifact)).toBe(bytesOf(sound.artifact));
  });

  it("whatever the run took and cost", async () => {
    const [one, other] = [
      await compileGuide({ run: { seconds: 3, server: { version: "0.1" }, isRehearsal: true } }),
      await compileGuide(),
    ];
    expect(one.run).toEqual({ seconds: 3, server: { version: "0.1" }, isRehearsal: true });
    expect(other.run).toEqual({});
    expect(bytesOf(one)).toBe(bytesOf(other));
    expect(one.hash).toBe(other.hash);
  });
});

describe("the hash", () => {
  it("is the SHA-256 of `compiled` with sorted keys and no white space", async () => {
    const { hash, compiled } = await compileGuide();
    expect(createHash("sha256").update(sorted(compiled)).digest("hex")).toBe(hash);
  });

  it("changes with a text, a parameter, the LM and the optimizer's seed", async () => {
    const lm = { provider: "openai-compatible", model: "qwen" };
    const artifacts = await Promise.all([
      compileGuide(),
      compileGuide({ candidate: [] }),
      compileGuide({ candidate: [{ kind: "parameter", path: "hops", value: 2 }] }),
      compileGuide({ optimizer: { name: "gepa", seed: 1 } }),
      compileGuide({ optimizer: { name: "gepa", seed: 2 } }),
      compileGuide({ identity: lm }),
    ]);
    expect(new Set(artifacts.map(({ hash }) => hash)).size).toBe(artifacts.length);
  });
});

function bytesOf({ compiled }: Artifact): string {
  return JSON.stringify(compiled, null, 2);
}

/** Written anew, so that the hash is not checked against the code that made it. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const held = value as Record<string, unknown>;
  const keys = Object.keys(held).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted(held[key])}`).join(",")}}`;
}

async function overHttp(faults: FaultShares) {
  await using server = await serveRehearsal({ faults, seed: 5 });
  await using lm = connect({
    baseUrl: `${server.url}/v1`,
    model: "rehearsal",
    stallTimeoutMs: 3_000,
    concurrency: 32,
    retry: { attempts: 12, baseDelayMs: 5, maxDelayMs: 50 },
  });
  const artifact = await compileGuide({ lm });
  const counts = Object.values(server.calls().byFault);
  return { artifact, faults: counts.reduce((sum, count) => sum + count, 0) };
}
