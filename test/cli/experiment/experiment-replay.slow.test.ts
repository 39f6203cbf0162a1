import { join, resolve } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { withWeights } from "../../../optimizers/experiments/support/with-parameters.ts";
import { wordingsOfStrategies } from "../../../optimizers/support/recorded-wordings.ts";
import type { Figures } from "../../bench/support/fusion-figures.ts";
import { distance, figuresOf, independent } from "../../bench/support/fusion-figures.ts";
import { fusionComparisons } from "../../bench/support/fusion-comparisons.ts";
import { replay, rewrites } from "../../bench/support/rewrites-on-mtrag.ts";
import { runMain } from "../../support/run-main.ts";
import { sharedData } from "../../support/shared-data.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { Table } from "./support.ts";
import { tableIn } from "./support.ts";

afterEach(() => void vi.unstubAllEnvs());

async function tableOf(name: string): Promise<Table> {
  vi.stubEnv("ESPALIER_MTRAG_DIR", sharedData("mtrag").file);
  vi.stubEnv("ESPALIER_RECORDED_DIR", sharedData("recorded-llm").file);
  await using place = await temporaryFolder();
  const run = join(place.path, "run");
  const file = resolve(`optimizers/experiments/${name}.ts`);
  const { code } = await runMain(["experiment", file, "--run", run]);
  expect(code).toBe(0);
  return tableIn(run);
}

function figuresIn({ rows }: Table, name: string): Figures {
  const figures = rows.find((row) => row.name === name)?.figures ?? [];
  const of = (wanted: string) => figures.find(({ metric }) => metric === wanted)?.value ?? NaN;
  return { recall_5: of("recall_5"), ndcg_cut_5: of("ndcg_cut_5") };
}

test.skipIf(rewrites.isAbsent)(
  `recorded rewrites have the figures of an independent BM25, and of the bench of fusion${rewrites.note}`,
  async () => {
    const table = await tableOf("recorded-rewrites");
    const { turns } = await replay();
    const rowOf: Readonly<Record<string, string>> = {
      "last turn": "last-turn",
      "human rewrite": "human-rewrite",
      "Mixtral, full history": "mixtral",
      "Sonnet 4, full history": "sonnet-4",
      aggressive: "aggressive",
      informative: "informative",
      "rewrite, then edit": "rewrite-then-edit",
      "RRF of human, Mixtral, Sonnet 4": "human-mixtral-sonnet-4",
    };
    for (const { name, row, all } of independent) {
      const figures = figuresIn(table, rowOf[name] ?? "");
      // The tolerance of the bench: another stemmer and stop list.
      expect(distance(figures, all)).toBeLessThan(0.02);
      expect(distance(figures, figuresOf(turns, row))).toBeLessThan(1e-9);
    }
  },
);

test.skipIf(rewrites.isAbsent)(
  `recorded rewrites are fused as in the bench of fusion, on the same unseen conversations${rewrites.note}`,
  async () => {
    const table = await tableOf("recorded-fusion");
    const { turns, sparse } = await replay();
    const [nested, uniform, oneLevel, ...alone] = await fusionComparisons(
      { turns, sparse },
      withWeights({ Minimal: 0.34, CorpusSpecific: 0.33, Weak: 0.33 }),
    );
    const strategies = Object.keys(wordingsOfStrategies);
    expect(alone).toHaveLength(strategies.length);
    const compared = [
      ["published-numbers", nested],
      ["uniform-weights", uniform],
      ["one-level", oneLevel],
      ["minimal-alone", alone[strategies.indexOf("minimal")]],
      ["corpus-specific-alone", alone[strategies.indexOf("corpusSpecific")]],
      ["chain-of-thought-alone", alone[strategies.indexOf("chainOfThought")]],
      ["hypothetical-alone", alone[strategies.indexOf("hypothetical")]],
      ["anchor-keyword-alone", alone[strategies.indexOf("anchorKeyword")]],
    ] as const;
    for (const [row, expected] of compared) {
      const figures = expected?.figures ?? { recall_5: NaN, ndcg_cut_5: NaN };
      expect(distance(figuresIn(table, row), figures)).toBeLessThan(1e-9);
    }
  },
);
