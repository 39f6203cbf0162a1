/**
 * Measures the latency that `espalier serve` adds, its throughput, whether answers stay separate
 * when a thousand clients ask at once, and the cost of keeping feedback. The bare LM server and a
 * minimal proxy alternate with it in one run. The LM's server, the proxy and `espalier serve`,
 * started as a user would, each have their own process.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { benchOptions, report } from "./support/bench-options.ts";
import { crowd } from "./serve/crowd.ts";
import { feedbackCost } from "./serve/feedback-cost.ts";
import { overhead } from "./serve/overhead.ts";
import { serverProcess } from "./serve/server-process.ts";
import { throughput } from "./serve/throughput.ts";

const { json, sizes } = benchOptions(
  "serve",
  "Measures the latency of `espalier serve`, its throughput next to a minimal proxy, and a crowd of clients.",
  {
    rounds: [9, "Rounds; their median counts"],
    "round-seconds": [3, "Seconds per round"],
    clients: [64, "Clients in the throughput rounds"],
    crowd: [1_000, "Concurrent clients in the last part"],
    "crowd-seconds": [60, "Seconds of the last part"],
    "feedback-per-second": [200, "Answers per second, with and without feedback"],
  },
);
const folder = await mkdtemp(join(tmpdir(), "espalier-bench-"));
const started = (script: string, args: readonly string[], log: string) =>
  serverProcess(new URL(script, import.meta.url), args, join(folder, log));

await using upstream = await started("./serve/upstream.ts", [], "upstream.log");
await using proxy = await started("./serve/hono-proxy.ts", [upstream.url], "proxy.log");
// As many concurrent answers as vLLM allows by default, with queue space for all other clients.
const atATime = 256;
const limits = { "max-requests": atATime, queue: sizes.crowd, concurrency: atATime, port: 0 };
const options = Object.entries(limits).flatMap(([name, value]) => [`--${name}`, String(value)]);
const serving = fileURLToPath(new URL("./serve/serving.ts", import.meta.url));
await using ours = await started(
  "../../src/cli/bin.ts",
  ["serve", serving, "--lm", upstream.url, ...options],
  "serve.log",
);

const servers = { upstream, proxy, ours };
const rounds = { rounds: sizes.rounds, seconds: sizes["round-seconds"] };
const whole = await throughput(servers, { ...rounds, clients: sizes.clients, isStreamed: false });
const streamed = await throughput(servers, { ...rounds, clients: sizes.clients, isStreamed: true });
const latency = await overhead(servers, { ...rounds, clients: 8, latencyMs: 20 });
const feedback = await (async () => {
  const kept = ["--feedback", join(folder, "feedback.sqlite")];
  await using keeping = await started(
    "../../src/cli/bin.ts",
    ["serve", serving, "--lm", upstream.url, ...options, ...kept],
    "serve-feedback.log",
  );
  const perSecond = sizes["feedback-per-second"];
  const arms = { upstream, without: ours, with: keeping };
  // Short turns spread other load on the machine over both.
  const turns = { rounds: 6 * sizes.rounds, seconds: sizes["round-seconds"] / 6 };
  return await feedbackCost(arms, { ...turns, perSecond, latencyMs: 20 });
})();
const many = await crowd(servers, { clients: sizes.crowd, seconds: sizes["crowd-seconds"] });
const { peakRssMb } = await ours.used();
await rm(folder, { recursive: true });

const parts = {
  whole: whole.figures,
  streamed: streamed.figures,
  latency: latency.figures,
  feedback: feedback.figures,
};
const wrong = [...Object.values(parts), many.figures].reduce((sum, part) => sum + part.wrong, 0);
const { overheadMsP50 } = latency.figures;
const throughputRatio = whole.figures.ratio;
const cpuMsPerRequest = whole.figures.cpuMsPerRequest.ours;
report(json, [whole, streamed, latency, feedback, many].map(({ text }) => text).join("\n\n"), {
  node: process.version,
  wrong,
  overheadMsP50,
  throughputRatio,
  cpuMsPerRequest,
  peakRssMb,
  ...parts,
  crowd: many.figures,
});

// The project's own limits.
const isAtRest = many.figures.rssGrowth <= 0.05;
const isFeedbackFree = feedback.figures.p95Ratio <= 1.1;
const isKept =
  wrong === 0 && overheadMsP50 <= 2 && throughputRatio >= 0.6 && isAtRest && isFeedbackFree;
if (!isKept) process.exitCode = 1;
