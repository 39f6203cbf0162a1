import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CallReport } from "@espalier/rehearsal";
import { serveRehearsal } from "@espalier/rehearsal";
import { gateClock } from "../../support/gate-clock.ts";
import { startCli } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const towns = "test/cli/fixtures/towns.ts";

describe("espalier eval", () => {
  it("prints score, interval, failures and cost, and says that it was a rehearsal", async () => {
    const { code, stdout, stderr } = await runMain(["eval", towns]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^towns: program answerer 1 on val of towns, 40 examples\n/);
    expect(stdout).toMatch(/\ntoken_f1  [01]\.\d{4}  \[[01]\.\d{4}, [01]\.\d{4}\] 95 %\n/);
    expect(stdout).toContain("coverage 100.0 %");
    expect(stdout).toMatch(/student: \d+ calls \(\d+ sent to the server\)/);
    expect(stdout).toContain("rehearsal: figures from the rehearsal LM");
    expect(stderr).toContain("towns on val: 40/40");
  });

  it("caps replies by --max-completion-tokens, and says that this cut them off", async () => {
    await using server = await serveRehearsal();
    const { stdout } = await runMain(
      `eval ${towns} --lm ${server.url}/v1 --cache none --limit 2 --max-completion-tokens 2`.split(
        " ",
      ),
    );
    expect(stdout).toContain("2 x output-truncated");
    const refused = await runMain(["eval", towns, "--max-completion-tokens", "0"]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("--max-completion-tokens");
  });

  it("ends with one JSON line when asked, the same at any concurrency", async () => {
    const figures = await Promise.all(
      ["1", "32"].map(async (concurrency) => {
        const { stdout } = await runMain(["eval", towns, "--json", "--concurrency", concurrency]);
        const line = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Record<
          string,
          unknown
        >;
        return { ...line, seconds: 0 };
      }),
    );
    expect(figures[0]).toMatchObject({
      study: "towns",
      split: "val",
      rehearsal: true,
      lm: { provider: "rehearsal" },
      counts: { scored: 40, unscored: 0 },
      coverage: 1,
    });
    expect(figures[1]).toEqual(figures[0]);
  });

  it("evaluates over a server's URL, with a ledger that agrees with the server's own count", async () => {
    await using server = await serveRehearsal();
    await using folder = await temporaryFolder();
    const args = [
      "eval",
      towns,
      "--lm",
      `${server.url}/v1`,
      "--json",
      "--cache",
      join(folder.path, "c.sqlite"),
    ];
    const lineOf = async () => {
      const { code, stdout, stderr } = await runMain(args);
      expect({ code, stderr: stderr.includes("espalier:") }).toEqual({ code: 0, stderr: false });
      return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as {
        readonly value: number;
        readonly rehearsal: boolean;
        readonly ledger: {
          readonly total: Record<"logical" | "billed", { readonly calls: number }>;
        };
      };
    };
    const cold = await lineOf();
    const received = chatCalls(server.calls());
    expect(cold.rehearsal).toBe(true);
    expect(cold.ledger.total.billed.calls).toBe(received);

    const warm = await lineOf();
    expect(warm.value).toBe(cold.value);
    expect(warm.ledger.total.logical.calls).toBe(cold.ledger.total.logical.calls);
    expect(warm.ledger.total.billed.calls).toBe(0);
    expect(chatCalls(server.calls())).toBe(received);
  });

  it("answers from the cache alone, with the server gone, and leaves the rest unscored", async () => {
    await using folder = await temporaryFolder();
    const server = await serveRehearsal();
    const args = ["eval", towns, "--lm", `${server.url}/v1`, "--model", "rehearsal", "--json"];
    const cache = ["--cache", join(folder.path, "c.sqlite")];
    const lineOf = async (...more: string[]) => {
      const { stdout } = await runMain([...args, ...cache, ...more]);
      return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as {
        readonly value: number;
        readonly counts: { readonly scored: number; readonly unscored: number };
        readonly ledger: { readonly total: { readonly billed: { readonly calls: number } } };
      };
    };
    const live = await lineOf("--limit", "30");
    await server[Symbol.asyncDispose]();
    const again = await lineOf("--limit", "30", "--cache-only");
    expect(again.value).toBe(live.value);
    expect(again.ledger.total.billed.calls).toBe(0);
    const more = await lineOf("--cache-only");
    expect(more.counts).toMatchObject({ scored: 30, unscored: 10 });
  });

  it.each([
    ["the embedded LM", ["--lm", "rehearsal"]],
    ["no cache", ["--lm", "http://127.0.0.1:9/v1", "--model", "none", "--cache", "none"]],
    ["no model", ["--lm", "http://127.0.0.1:9/v1"]],
  ])("cannot answer from the cache alone with %s", async (_, more) => {
    const { code, stderr } = await runMain(["eval", towns, "--cache-only", ...more]);
    expect(code).toBe(2);
    expect(stderr).toContain("espalier: usage-invalid: --cache-only");
  });

  it("writes the whole result, shows it again, and compares another with it", async () => {
    await using folder = await temporaryFolder();
    const result = join(folder.path, "seed.json");
    const candidate = join(folder.path, "candidate.json");
    await writeFile(
      candidate,
      JSON.stringify([
        {
          kind: "instruction",
          path: "answer",
          value: "Ignore the passages. Answer with one word.",
        },
      ]),
    );
    await runMain(["eval", towns, "--out", result]);
    const saved = JSON.parse(await readFile(result, "utf8")) as { evaluation: { rows: unknown[] } };
    expect(saved.evaluation.rows).toHaveLength(40);

    const shown = await runMain(["show", result]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("40 examples\n");

    const compared = await runMain([
      "eval",
      towns,
      "--candidate",
      candidate,
      "--baseline",
      result,
      "--json",
    ]);
    expect(compared.stdout).toContain(
      "\nverdict: a loss: on token_f1, the program is worse than the baseline\n  difference -0.",
    );
    const line = JSON.parse(compared.stdout.trimEnd().split("\n").at(-1) ?? "") as Record<
      string,
      unknown
    >;
    expect(line).toMatchObject({ comparison: { verdict: "worse", examples: 40 } });
    const { comparison, flips } = line as {
      readonly comparison: { readonly better: number; readonly worse: number };
      readonly flips: readonly Readonly<Record<"baseline" | "other", number>>[];
    };
    const changes = flips.map(({ baseline, other }) => other - baseline);
    expect(changes.filter((change) => change < 0)).toHaveLength(comparison.worse);
    expect(changes.filter((change) => change > 0)).toHaveLength(comparison.better);
    const sizes = changes.map(Math.abs);
    expect(sizes).toEqual(sizes.toSorted((one, two) => two - one));
    expect(compared.stdout).toMatch(
      /^examples whose score changed\n {2}\S+ {2}\d\.\d\d -> \d\.\d\d/m,
    );
  });

  it("ends on Ctrl-C with what was done and spent, and exit code 130", async () => {
    await using server = await serveRehearsal({ latencyMs: 1, clock: gateClock(12) });
    const running = startCli([
      "eval",
      towns,
      "--lm",
      `${server.url}/v1`,
      "--cache",
      "none",
      "--concurrency",
      "2",
    ]);
    await running.saw("towns on val: 4/40");
    running.interrupt();
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/Stopped after \d+ of 40 examples; \d+ LM calls/);
  });
});

function chatCalls({ byEndpoint }: CallReport): number {
  return byEndpoint["POST /v1/chat/completions"]?.received ?? 0;
}
