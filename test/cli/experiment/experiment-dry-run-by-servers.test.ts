import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { serveRehearsal } from "@espalier/rehearsal";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { tableIn } from "./support.ts";

const ranked = "test/cli/fixtures/ranked-experiment.ts";

interface Dry {
  readonly experiments: readonly {
    readonly rows: readonly {
      readonly basis: string;
      readonly calls: number;
      readonly promptTokens: number;
      readonly completionTokens: number;
      readonly usd: number | null;
    }[];
  }[];
}

async function dry(...words: readonly string[]) {
  const { code, stdout } = await runMain(["experiment", ranked, "--dry-run", "--json", ...words]);
  expect(code).toBe(0);
  return (JSON.parse(stdout) as Dry).experiments[0]?.rows[0];
}

test("--dry-run counts the calls of an LM that ranks and of one that judges, at their prices", async () => {
  await using server = await serveRehearsal();
  await using folder = await temporaryFolder();
  const file = join(folder.path, "servers.json");
  const lm = (promptUsdPerMillion: number) => ({
    url: `${server.url}/v1`,
    model: "rehearsal",
    price: { promptUsdPerMillion, completionUsdPerMillion: 0 },
  });
  const servers = {
    format: "espalier-servers/1",
    lms: { answering: lm(0), ranking: lm(7), judging: lm(0) },
    roles: { answer: "answering", judge: "judging" },
    reranker: { lm: "ranking" },
  };
  await writeFile(file, JSON.stringify(servers));

  const received = () => server.calls().byEndpoint["POST /v1/chat/completions"]?.received ?? 0;
  const estimated = await dry("--servers", file, "--rehearsal");
  expect(received()).toBe(0);
  const run = join(folder.path, "run");
  const words = ["experiment", ranked, "--servers", file, "--run", run];
  expect((await runMain(words)).code).toBe(0);
  const { rows } = await tableIn(run);
  const costs = rows[0]?.costs;
  expect(estimated).toMatchObject({ basis: "rehearsal", calls: costs?.lmCalls });
  expect(estimated?.promptTokens).toBe(costs?.promptTokens);

  // Three passages are ranked for each of eight questions, in at most four tokens.
  const { ledger } = JSON.parse(await readFile(join(run, "rows/ranked/result.json"), "utf8")) as {
    readonly ledger: {
      readonly byRole: Readonly<
        Record<
          string,
          { readonly logical: { readonly calls: number; readonly promptTokens: number } }
        >
      >;
    };
  };
  const { reranking, judge, student } = ledger.byRole;
  expect(reranking?.logical.calls).toBe(24);
  expect(judge?.logical.calls).toBeGreaterThan(0);
  const others = (judge?.logical.calls ?? 0) + (student?.logical.calls ?? 0);
  expect(estimated?.completionTokens).toBeLessThanOrEqual(24 * 4 + others * 256);
  expect(estimated?.usd).toBeCloseTo(((reranking?.logical.promptTokens ?? NaN) * 7) / 1e6, 9);
});

test("--dry-run counts a judge where a real LM will judge, and none in a rehearsal", async () => {
  const network = vi.spyOn(globalThis, "fetch");
  const answers = 8;
  expect((await dry("--rehearsal"))?.calls).toBe(answers);
  const judged = await dry("--rehearsal", "--lm", "http://127.0.0.1:1/v1");
  expect(judged?.basis).toBe("rehearsal");
  expect(judged?.calls).toBeGreaterThan(answers);
  const byMock = ["--rehearsal", "--lm", "http://127.0.0.1:1/v1", "--judge-lm", "rehearsal"];
  expect((await dry(...byMock))?.calls).toBe(answers);
  expect(network).not.toHaveBeenCalled();
});
