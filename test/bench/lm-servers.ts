/**
 * Measures the wall clock of the same calls over four uneven servers: round robin, least loaded,
 * and espalier, at the same total concurrency. Then one server joins and one dies in mid-run. The
 * servers are doubles, real HTTP servers in this process that answer one fixed text: their service
 * times differ 1 : 1 : 2 : 4, and each has slots, beyond which calls wait in its own queue. They
 * have no prefix cache, so that affinity only costs here; `at home` says what it keeps.
 *
 * With `--lm`, servers that run already take the place of the doubles, and nobody joins or dies.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LanguageModel, LmRequest } from "espalier";
import { scriptOptions } from "../../scripts/support/script-options.ts";
import { requestOf } from "../lm/requests.ts";
import type { SlottedServer } from "../support/slotted-server.ts";
import { slottedServer } from "../support/slotted-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { chatPath } from "../support/vllm-server.ts";
import type { Policy } from "./lm-servers/policies.ts";
import { listed, policies } from "./lm-servers/policies.ts";
import { report } from "./support/bench-options.ts";
import { median } from "./support/measure.ts";

const { values: given, flags } = scriptOptions({
  command: "npm run bench:lm-servers",
  about:
    "Measures four uneven servers: round robin, least loaded, espalier; then joining and dying.",
  options: {
    json: { about: "Also print the figures as a last line of JSON" },
    calls: { about: "Calls of each run", value: "N", preset: "1000" },
    slots: { about: "Slots of every server, or of the four", value: "N,...", preset: "8" },
    factors: { about: "Their service times, as multiples", value: "N,...", preset: "1,1,2,4" },
    "service-ms": { about: "Service time of the fastest", value: "MS", preset: "100" },
    concurrency: { about: "Totals, separated by commas", value: "N,...", preset: "24,64,256" },
    rounds: { about: "Rounds; medians are shown", value: "N", preset: "3" },
    "no-metrics": { about: "Servers do not tell their queues" },
    lm: { about: "Base URLs of running servers to measure instead of doubles", value: "URL,..." },
    model: { about: "What they serve", value: "NAME" },
    tokens: { about: "Length of each of their replies", value: "N", preset: "64" },
  },
});
const calls = Number(given.calls);
const factors = numbersIn(given.factors);
const givenSlots = numbersIn(given.slots);
const slots = factors.map((_, index) => givenSlots[index] ?? givenSlots[0]!);
const serviceMs = Number(given["service-ms"]);
/** Prime to the number of servers, so that taking turns does not keep beginnings together. */
const predictors = 23;
const tellsQueue = !flags.has("no-metrics");

if (given.lm !== undefined) {
  if (given.model === undefined) throw new Error("--lm needs --model NAME, what they serve.");
  await measureRunning(given.lm.split(","), given.model);
  process.exit();
}
const lines: string[] = [
  `${calls} calls with ${predictors} beginnings, ${factors.length} servers of ${slots.join(", ")} slots, ${factors.map((factor) => factor * serviceMs).join(", ")} ms, ${tellsQueue ? "which tell" : "which do not tell"} their queues; doubles. Shortest possible: ${seconds(idealMs(factors))}`,
];
const arms: object[] = [];
for (const concurrency of numbersIn(given.concurrency)) {
  const taken = await byTurns(async (policy) => {
    await using servers = await doubles(factors);
    const lm = policy(
      servers.all.map(({ baseUrl }) => baseUrl),
      concurrency,
    );
    return await timed(lm, servers.all);
  });
  const base = medianMs(taken.get("round robin") ?? []);
  for (const [name, outcomes] of taken) {
    const ms = medianMs(outcomes);
    const atHome = outcomes.reduce((sum, each) => sum + each.atHome, 0) / outcomes.length;
    const waited = Math.max(...outcomes.map(({ maxWaiting }) => maxWaiting));
    arms.push({ concurrency, name, ms, atHome, maxWaiting: waited });
    lines.push(
      `${String(concurrency).padStart(4)} in flight  ${name.padEnd(24)} ${seconds(ms)}  ${(ms / base).toFixed(2)} of round robin, ${(ms / idealMs(factors)).toFixed(2)} of the shortest; ${(100 * atHome).toFixed(0).padStart(3)} % at home, at most ${waited} waiting at a server`,
    );
  }
}

const change = await changing(64);
lines.push(
  `one joins, one dies: ${change.answered} of ${calls} answered, ${change.lost} lost, ${change.resent} sent twice; ${seconds(change.ms)}, ${(change.ms / change.shortestMs).toFixed(2)} of the shortest possible with these servers (${seconds(change.shortestMs)})`,
);
report(flags.has("json"), lines.join("\n"), { rehearsal: true, calls, slots, arms, change });

interface Outcome {
  readonly ms: number;
  /** Share of calls that were answered where most calls of their beginning were. */
  readonly atHome: number;
  readonly maxWaiting: number;
}

/** Runs every policy in each round, by turns; returns what came of it by the policy's name. */
async function byTurns<TOutcome>(
  run: (policy: Policy) => Promise<TOutcome>,
): Promise<ReadonlyMap<string, readonly TOutcome[]>> {
  const all = Object.entries(policies);
  const taken = new Map<string, TOutcome[]>();
  for (let round = 0; round < Number(given.rounds); round++) {
    // None always comes first: a server keeps what it has computed of a prompt.
    const first = round % all.length;
    for (const [name, policy] of [...all.slice(first), ...all.slice(0, first)]) {
      taken.set(name, [...(taken.get(name) ?? []), await run(policy)]);
    }
  }
  return taken;
}

async function measureRunning(baseUrls: readonly string[], model: string): Promise<void> {
  const asked = requests().map((request) => ({
    ...request,
    thinking: false,
    sampling: { ...request.sampling, maxCompletionTokens: Number(given.tokens) },
    extraBody: { ignore_eos: true },
  }));
  const shown = [`${calls} calls with ${predictors} beginnings, ${baseUrls.length} servers`];
  const found: object[] = [];
  for (const concurrency of numbersIn(given.concurrency)) {
    const taken = await byTurns((policy) => msOf(policy(baseUrls, concurrency, model), asked));
    const base = median(taken.get("round robin") ?? []);
    for (const [name, times] of taken) {
      const ms = median(times);
      found.push({ concurrency, name, ms, times });
      shown.push(
        `${String(concurrency).padStart(4)} in flight  ${name.padEnd(24)} ${seconds(ms)}  ${(ms / base).toFixed(2)} of round robin`,
      );
    }
  }
  report(flags.has("json"), shown.join("\n"), { calls, servers: baseUrls.length, arms: found });
}

async function msOf(lm: LanguageModel, asked: readonly LmRequest[]): Promise<number> {
  const begunMs = performance.now();
  await Promise.all(asked.map((request) => lm.doGenerate(request)));
  return performance.now() - begunMs;
}

async function timed(lm: LanguageModel, servers: readonly SlottedServer[]): Promise<Outcome> {
  const ms = await msOf(lm, requests());
  const counts = new Map<string, number[]>();
  for (const [index, server] of servers.entries()) {
    for (const { path, body } of server.requests) {
      if (path !== chatPath) continue;
      const beginning = String(body.messages[0].content);
      const each = counts.get(beginning) ?? servers.map(() => 0);
      each[index] = (each[index] ?? 0) + 1;
      counts.set(beginning, each);
    }
  }
  const home = [...counts.values()].reduce((sum, each) => sum + Math.max(...each), 0);
  return { ms, atHome: home / calls, maxWaiting: Math.max(...servers.map((s) => s.maxWaiting)) };
}

/** Three of the servers; the third joins after a quarter of the calls, the second dies at half. */
async function changing(concurrency: number) {
  await using folder = await temporaryFolder();
  await using servers = await doubles(factors);
  const [first, second, third, fourth] = servers.all as [
    SlottedServer,
    SlottedServer,
    SlottedServer,
    SlottedServer,
  ];
  const path = join(folder.path, "servers.txt");
  const write = (all: readonly SlottedServer[]): Promise<void> =>
    writeFile(path, all.map(({ baseUrl }) => `${baseUrl}\n`).join(""));
  await write([first, second, fourth]);
  const lm = await listed(path, concurrency);
  let answered = 0;
  let lost = 0;
  const begunMs = performance.now();
  let [joinsMs, diesMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  await Promise.all(
    requests().map(async (request) => {
      try {
        await lm.doGenerate(request);
        answered += 1;
      } catch {
        lost += 1;
      }
      if (answered === Math.ceil(calls / 4) && joinsMs === Number.POSITIVE_INFINITY) {
        joinsMs = performance.now() - begunMs;
        await write([first, second, third, fourth]);
      }
      if (answered === Math.ceil(calls / 2) && diesMs === Number.POSITIVE_INFINITY) {
        diesMs = performance.now() - begunMs;
        second.die();
      }
    }),
  );
  const ms = performance.now() - begunMs;
  const sent = servers.all.flatMap((server) => server.requests.filter((r) => r.path === chatPath));
  const [one = 1, two = 1, three = 1, four = 1] = factors.map(perMs);
  // What all servers that were there could have answered, up to the moment when it is enough.
  const byJoin = joinsMs * (one + two + four);
  const byDeath = byJoin + (diesMs - joinsMs) * (one + two + three + four);
  const shortestMs = diesMs + Math.max(0, calls - byDeath) / (one + three + four);
  return { ms, shortestMs, answered, lost, resent: sent.length - calls, joinsMs, diesMs };
}

async function doubles(all: readonly number[]) {
  const servers = await Promise.all(
    all.map((factor, index) =>
      slottedServer({ slots: slots[index]!, serviceMs: factor * serviceMs, tellsQueue }),
    ),
  );
  return {
    all: servers,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

function requests(): readonly LmRequest[] {
  return Array.from({ length: calls }, (_, number) => ({
    ...requestOf(`question ${number}`),
    messages: [
      { role: "system", content: `You are predictor ${number % predictors}.` },
      { role: "user", content: `question ${number}` },
    ],
  }));
}

/** All slots busy until the last call. */
function idealMs(all: readonly number[]): number {
  return calls / all.map(perMs).reduce((sum, one) => sum + one, 0);
}

/** Calls that the server at a place can answer in a millisecond. */
function perMs(factor: number, index: number): number {
  return slots[index]! / (factor * serviceMs);
}

function numbersIn(list = ""): readonly number[] {
  return list.split(",").map(Number);
}

function medianMs(outcomes: readonly Outcome[]): number {
  return median(outcomes.map(({ ms }) => ms));
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
