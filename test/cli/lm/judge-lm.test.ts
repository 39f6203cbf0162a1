import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serveRehearsal } from "@espalier/rehearsal";
import { gateClock } from "../../support/gate-clock.ts";
import { startCli } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const study = "test/cli/fixtures/graded-places.ts";
const endpoint = "POST /v1/chat/completions";

interface LastLine {
  readonly judgeLm?: { readonly model: string; readonly url?: string };
  readonly rehearsal: boolean;
  readonly ledger: {
    readonly byRole: Readonly<
      Record<string, { readonly billed: { readonly calls: number; readonly failedCalls: number } }>
    >;
  };
}

const lastLine = (stdout: string): LastLine =>
  JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as LastLine;

describe("--judge-lm", () => {
  it("sends what the metric of `espalier eval` asks to a server of its own", async () => {
    await using server = await serveRehearsal();
    await using folder = await temporaryFolder();
    const url = `${server.url}/v1`;
    const cache = ["--cache", join(folder.path, "cache.sqlite")];
    const given = ["eval", study, "--limit", "3", "--judge-lm", url, ...cache, "--json"];
    const { code, stdout } = await runMain(given);
    expect(code).toBe(0);
    const { judgeLm, ledger, rehearsal } = lastLine(stdout);
    expect(judgeLm).toMatchObject({ model: "rehearsal", url });
    expect(rehearsal).toBe(true);
    expect(ledger.byRole["judge"]?.billed.calls).toBe(3);
    expect(ledger.byRole["reranking"]?.billed.calls).toBe(9);
    expect(server.calls().byEndpoint[endpoint]?.received).toBe(3);
  });

  it("is kept by `espalier optimize --resume`, and counted in search and report", async () => {
    const clock = gateClock(60);
    await using server = await serveRehearsal({ latencyMs: 1, clock });
    await using folder = await temporaryFolder();
    const run = join(folder.path, "run");
    const url = `${server.url}/v1`;
    const given = ["--budget", "30", "--judge-lm", url, "--cache", "none", "--run", run];
    const running = startCli(["optimize", study, ...given]);
    await running.saw("run ");
    await expect.poll(() => server.calls().byEndpoint[endpoint]?.received).toBeGreaterThan(3);
    running.interrupt();
    expect((await running.ended).code).toBe(130);
    clock.release();
    const resumed = await runMain(["optimize", study, "--resume", run, "--json"]);
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stderr).toContain(`--judge-lm ${url}`);
    const { ledger, judgeLm } = lastLine(resumed.stdout);
    expect(judgeLm).toMatchObject({ url });
    const { judge } = ledger.byRole;
    const { calls = 0, failedCalls = 0 } = judge?.billed ?? {};
    // A call may be noted as sent, and the process interrupted before the server has heard of it.
    const received = server.calls().byEndpoint[endpoint]?.received;
    expect(calls).toBeGreaterThanOrEqual(received ?? Infinity);
    expect(calls - failedCalls).toBeLessThanOrEqual(received ?? 0);
    const artifact = await readFile(join(run, "artifact.json"), "utf8");
    expect(JSON.parse(artifact)).toMatchObject({
      compiled: { optimizer: { judgeLm: { provider: "vllm", model: "rehearsal" } } },
    });
  });
});
