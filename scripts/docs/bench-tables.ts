import { z } from "zod";
import { count, share, signed, table } from "./figures.ts";
import { leversTable } from "./levers-table.ts";
import { optimizersTable } from "./optimizers-table.ts";
import { retrievalTable } from "./retrieval-table.ts";

/** Formats the JSON line of each bench as its table in the lab book. */
export const benchTables: Readonly<Record<string, (figures: unknown) => string>> = {
  overhead: (figures) => {
    const { cpuMs, ratioToAxGen, inFlight, evaluate } = overhead.parse(figures);
    const rows = Object.entries(contenders).map(([name, label]) => [
      label,
      `${cpuMs[name]?.toFixed(2)} ms`,
      name === "espalier"
        ? `**${ratioToAxGen[name]?.toFixed(2)}**`
        : ratioToAxGen[name]?.toFixed(2),
    ]);
    return [
      table([`what, ${inFlight} in flight`, "CPU per call", "of AxGen's"], rows),
      "",
      `\`evaluate()\` took ${evaluate.ratio.toFixed(3)} times the list-scheduled makespan of its calls.`,
    ].join("\n");
  },
  retrieval: retrievalTable,
  serve: (figures) => {
    const { whole, streamed, latency, feedback, crowd, peakRssMb } = serve.parse(figures);
    const cpu = ({ cpuMsPerRequest: { ours, proxy } }: typeof whole) =>
      `${ours.toFixed(2)} ms (${proxy.toFixed(2)})`;
    return table(
      ["what", "figure", "limit"],
      [
        [
          "median time of an answer beyond the bare LM server's: 8 clients, one call, replies after 20 ms",
          `${latency.overheadMsP50.toFixed(2)} ms (${latency.oursMsP50.toFixed(1)} against ${latency.bareMsP50.toFixed(1)})`,
          "2 ms",
        ],
        [
          "answers a second of 64 clients, as a share of the proxy's",
          `whole ${share(whole.ratio)}, streamed ${share(streamed.ratio)}`,
          "whole .6",
        ],
        [
          "p95 of an answer with `--feedback`, 200 answers a second, as a multiple of that without, in turns of 0.5 s",
          `${feedback.p95Ratio.toFixed(2)} (${feedback.with.p95Ms.toFixed(1)} ms against ${feedback.without.p95Ms.toFixed(1)})`,
          "1.1",
        ],
        [
          "CPU time of an answer, the proxy's in brackets",
          `whole ${cpu(whole)}, streamed ${cpu(streamed)}`,
          "",
        ],
        [
          "1,000 clients for 60 s, every other answer streamed, a secret of its own in each",
          `${count(crowd.answers)} answers, ${crowd.wrong === 0 ? "none" : crowd.wrong} wrong, mixed or lost`,
          "none",
        ],
        [
          "memory of that server, and how much it grows in the last third",
          `at most ${peakRssMb.toFixed(0)} MiB, ${(100 * crowd.rssGrowth).toFixed(1)} %`,
          "5 %",
        ],
      ],
    );
  },
  bm25: (figures) => {
    const {
      passages,
      buildSeconds,
      queryMs,
      figures: found,
      largestDifference,
    } = bm25.parse(figures);
    const labels = { lastturn: "last turn", rewrite: "human rewrite" };
    return [
      table(
        ["query", "R@5", "nDCG@5", "R@10"],
        Object.entries(labels).map(([kind, label]) => {
          const of = found[kind as keyof typeof labels];
          return [label, share(of.recall_5, 3), share(of.ndcg_cut_5, 3), share(of.recall_10, 3)];
        }),
      ),
      "",
      `${count(passages)} passages are indexed in ${buildSeconds.toFixed(1)} s; a query takes ${queryMs.p50.toFixed(1)} ms (median). ` +
        `No figure is further than ${share(largestDifference, 4)} from the independent index's.`,
    ].join("\n");
  },
  optimizers: optimizersTable,
  levers: leversTable,
  hanrag: (figures) => {
    const { retrieval, rehearsal } = hanrag.parse(figures);
    return [
      "Supporting paragraphs among the first 10 of BM25:",
      "",
      table(
        ["set", "questions", "recall@10", "all supporting paragraphs"],
        retrieval.map(({ name, questions, recall, all }) => [
          name,
          count(questions),
          share(recall, 3),
          share(all, 3),
        ]),
      ),
      "",
      "HANRAG on the four shelves, **rehearsal**:",
      "",
      table(
        ["variant", "F1", "accuracy", "steps"],
        rehearsal.map(({ name, all: { f1, accuracy, steps } }) => [
          name,
          share(f1, 3),
          share(accuracy, 3),
          steps.toFixed(2),
        ]),
      ),
    ].join("\n");
  },
  fusion: (figures) => {
    const { rows, compared } = fusion.parse(figures);
    const furthest = Math.max(...rows.map(({ off }) => off));
    return [
      `Every wording is within ${share(furthest, 3)} of an independent BM25 (R@5 / nDCG@5 over all turns).`,
      "",
      table(
        ["on unseen conversations", "R@5", "nDCG@5", "nDCG@5 beyond the paper's numbers, 95 %"],
        compared.map(({ name, figures: of, difference, interval, verdict }) => [
          name,
          share(of.recall_5, 3),
          share(of.ndcg_cut_5, 3),
          difference === undefined || interval === undefined
            ? ""
            : `${signed(difference)} [${signed(interval.low)}, ${signed(interval.high)}], ${verdicts[verdict ?? "undecided"]}`,
        ]),
      ),
    ].join("\n");
  },
  prefix: (figures) => {
    const { calls, arms } = prefix.parse(figures);
    const labels = { espalier: "espalier", ax: "ax's default", DSPy: "DSPy's chat adapter" };
    return [
      table(
        [
          `${count(calls)} calls, rehearsal inputs and tokens`,
          "prompt tokens",
          "reusable",
          "left to compute",
        ],
        Object.entries(arms).map(([name, arm]) => {
          const label = Object.hasOwn(labels, name) ? labels[name as keyof typeof labels] : name;
          if ("skipped" in arm) return [label, `skipped: ${arm.skipped}`, "", ""];
          const { promptTokens, reusableTokens } = arm;
          return [
            label,
            count(promptTokens),
            `${(100 * arm.share).toFixed(1)} %`,
            count(promptTokens - reusableTokens),
          ];
        }),
      ),
    ].join("\n");
  },
};

const contenders = {
  rawFetch: "a raw `fetch` and `JSON.parse`",
  openaiSdk: "the bare `openai` SDK",
  espalier: "espalier: prompt, HTTP, parse, trace, disk cache, ledger, retry, limit",
  axGenThin: "ax's `AxGen` over the thinnest possible service",
  axGenVllm: "ax's `AxGen` over its own client",
};
const verdicts = { better: "better", worse: "worse", undecided: "not shown" };

const overhead = z.object({
  inFlight: z.number(),
  cpuMs: z.record(z.string(), z.number()),
  ratioToAxGen: z.record(z.string(), z.number()),
  evaluate: z.object({ ratio: z.number() }),
});
const throughput = z.object({
  ratio: z.number(),
  cpuMsPerRequest: z.object({ ours: z.number(), proxy: z.number() }),
});
const p95 = z.object({ p95Ms: z.number() });
const serve = z.object({
  peakRssMb: z.number(),
  whole: throughput,
  streamed: throughput,
  latency: z.object({ overheadMsP50: z.number(), bareMsP50: z.number(), oursMsP50: z.number() }),
  feedback: z.object({ without: p95, with: p95, p95Ratio: z.number() }),
  crowd: z.object({ answers: z.number(), wrong: z.number(), rssGrowth: z.number() }),
});
const ranking = z.object({ recall_5: z.number(), ndcg_cut_5: z.number(), recall_10: z.number() });
const bm25 = z.object({
  passages: z.number(),
  buildSeconds: z.number(),
  queryMs: z.object({ p50: z.number() }),
  figures: z.object({ lastturn: ranking, rewrite: ranking }),
  largestDifference: z.number(),
});
const hanrag = z.object({
  retrieval: z.array(
    z.object({ name: z.string(), questions: z.number(), recall: z.number(), all: z.number() }),
  ),
  rehearsal: z.array(
    z.object({
      name: z.string(),
      all: z.object({ f1: z.number(), accuracy: z.number(), steps: z.number() }),
    }),
  ),
});
const fusion = z.object({
  rows: z.array(z.object({ off: z.number() })),
  compared: z.array(
    z.object({
      name: z.string(),
      figures: z.object({ recall_5: z.number(), ndcg_cut_5: z.number() }),
      difference: z.number().optional(),
      interval: z.object({ low: z.number(), high: z.number() }).optional(),
      verdict: z.enum(["better", "worse", "undecided"]).optional(),
    }),
  ),
});
const prefix = z.object({
  calls: z.number(),
  arms: z.record(
    z.string(),
    z.union([
      z.object({ promptTokens: z.number(), reusableTokens: z.number(), share: z.number() }),
      z.object({ skipped: z.string() }),
    ]),
  ),
});
