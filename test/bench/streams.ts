/**
 * Measures the memory of `espalier serve` while it streams long answers: to clients that read, to
 * clients that begin to read when their answers are complete, and of an LM that never ends. The
 * LM's server, the clients and `espalier serve`, started as a user would, each have their own
 * process.
 */
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { benchOptions, report } from "./support/bench-options.ts";
import { serverProcess } from "./serve/server-process.ts";

const { json, sizes } = benchOptions(
  "streams",
  "Measures the memory of `espalier serve` while it streams long answers to many clients at once.",
  {
    streams: [1_000, "Answers at once, each to a client that reads"],
    tokens: [8_000, "Tokens of an answer, of four characters each"],
    unread: [100, "Answers at once to clients that do not read before the end"],
    "limit-mb": [1_024, "Largest peak of the server's resident memory, in MiB"],
  },
);
const folder = await mkdtemp(join(tmpdir(), "espalier-bench-"));
const started = (script: string, args: readonly string[], log: string) =>
  serverProcess(new URL(script, import.meta.url), args, join(folder, log));
await using upstream = await started(
  "./serve/long-streams.ts",
  [String(sizes.tokens)],
  "upstream.log",
);
const serving = fileURLToPath(new URL("./serve/serving.ts", import.meta.url));
const most = Math.max(sizes.streams, sizes.unread);
const limits = { "max-requests": most, concurrency: most, deadline: 3_600, port: 0 };
const served = (log: string) =>
  started(
    "../../src/cli/bin.ts",
    ["serve", serving, "--lm", upstream.url].concat(
      Object.entries(limits).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ),
    log,
  );

interface Part {
  readonly answers: number;
  readonly wrong: number;
  readonly seconds: number;
  readonly baseMb: number;
  readonly peakMb: number;
}

/** A server of its own for each part, so that a peak is the part's. */
async function part(name: string, count: number, ask: Ask): Promise<Part> {
  await using server = await served(`${name}.log`);
  await ask(server.url, 1);
  const { rssMb: baseMb } = await server.used();
  const startedAt = performance.now();
  const asked = Array.from({ length: count }, (_, index) => ask(server.url, count, index));
  const answered = await Promise.all(asked.map((one) => one.catch(() => false)));
  const { peakRssMb: peakMb } = await server.used();
  return {
    answers: count,
    wrong: answered.filter((isRight) => !isRight).length,
    seconds: (performance.now() - startedAt) / 1_000,
    baseMb,
    peakMb,
  };
}

/** Resolves to whether the answer was the right one. */
type Ask = (url: string, count: number, index?: number) => Promise<boolean>;

const agent = new Agent({ maxSockets: Infinity });

function streamOf(url: string, question: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const outgoing = request(`${url}/v1/chat/completions`, { method: "POST", agent, headers });
    outgoing.on("response", resolve);
    outgoing.on("error", reject);
    const messages = [{ role: "user", content: question }];
    outgoing.end(JSON.stringify({ model: "bench", stream: true, messages }));
  });
}

/** Counts the characters of the tokens; a stream must also say that it is complete. */
async function isWhole(stream: IncomingMessage): Promise<boolean> {
  let [characters, tail] = [0, ""];
  stream.setEncoding("utf8");
  for await (const piece of stream as AsyncIterable<string>) {
    characters += piece.match(/[λόγο]/g)?.length ?? 0;
    tail = (tail + piece).slice(-16);
  }
  return characters === 4 * 8 * Math.ceil(sizes.tokens / 8) && tail.includes("[DONE]");
}

const reading: Ask = async (url) => isWhole(await streamOf(url, "Why?"));

/** Reads once the server answers no question any more, as its metrics tell. */
const waiting: Ask = async (url) => {
  const stream = await streamOf(url, "Why?");
  stream.pause();
  for (let isBusy = true; isBusy;) {
    await setTimeout(1_000);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    isBusy = !/^espalier_chats_running 0$/m.test(metrics);
  }
  return isWhole(stream);
};

const endless: Ask = async (url, count) => {
  if (count === 1) return reading(url, count);
  let text = "";
  for await (const piece of await streamOf(url, "LM_ENDLESS"))
    text = (text + String(piece)).slice(-400);
  return text.includes('"error"');
};

const figures = {
  reading: await part("reading", sizes.streams, reading),
  unread: await part("unread", sizes.unread, waiting),
  endless: await part("endless", 2, endless),
};
await rm(folder, { recursive: true });

const lines = Object.entries(figures).map(
  ([name, { answers, wrong, seconds, baseMb, peakMb }]) =>
    `${name}: ${answers} answers at once, ${wrong} wrong or lost, ${seconds.toFixed(0)} s; memory at most ${peakMb.toFixed(0)} MiB (${baseMb.toFixed(0)} before)`,
);
report(json, lines.join("\n"), { node: process.version, tokens: sizes.tokens, ...figures });

const isKept = Object.values(figures).every(
  ({ wrong, peakMb }) => wrong === 0 && peakMb <= sizes["limit-mb"],
);
if (!isKept) process.exitCode = 1;
