import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { defaultSampling } from "../../../src/contract/index.ts";
import type { EspalierError } from "../../../src/errors/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import { connect } from "../../../src/lm/index.ts";
import type { Budget, PriceTable } from "../../../src/optimizer/index.ts";
import { recordedReplies } from "../../../src/optimizer/run-folder/recorded-replies.ts";
import { requestOf } from "../../lm/requests.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { Answer, VllmServer } from "../../support/vllm-server.ts";
import { chatPath, json, refuse, vllmServer } from "../../support/vllm-server.ts";

// A server that bills each request that it read, and breaks a share of its replies.

const price = { promptUsdPerMillion: 100, completionUsdPerMillion: 400 };
const prices: PriceTable = { student: price };
const usage = { prompt_tokens: 20, completion_tokens: 30 };
const billUsd = (20 * price.promptUsdPerMillion + 30 * price.completionUsdPerMillion) / 1e6;
const good = { model: "m", choices: [{ message: { content: "x" }, finish_reason: "stop" }], usage };

/** Each reads the whole request; some bill it though its reply cannot be used. */
const faults: Readonly<Record<string, { readonly answer: Answer; readonly isBilled: boolean }>> = {
  "broken JSON": {
    answer: (_request, response) => response.end('{"choices": ['),
    isBilled: true,
  },
  "a failure as the finish reason": {
    answer: json({ ...good, choices: [{ message: { content: "x" }, finish_reason: "error" }] }),
    isBilled: true,
  },
  "a connection that breaks": {
    answer: (_request, response) => response.destroy(),
    isBilled: true,
  },
  "a reply without choices": { answer: json({ model: "m", usage }), isBilled: true },
  "too many requests": { answer: refuse(429, "slow down"), isBilled: false },
  "a full queue": { answer: refuse(503, "busy"), isBilled: false },
};

interface Trial {
  readonly budget: Pick<Budget, "lmCalls" | "costUsd">;
  /** Share of requests whose reply is broken. */
  readonly share: number;
  readonly calls: number;
  readonly concurrency: number;
  /** Number of the request at which the process is killed; absent: never. */
  readonly killedAt: number | undefined;
}

/** What a server counted of runs of the same work, the later ones after a kill. */
async function counted(
  seed: number,
  { budget, share, calls, concurrency, killedAt }: Trial,
): Promise<{
  readonly requests: number;
  readonly usd: number;
  readonly answered: number;
  readonly others: readonly string[];
}> {
  const random = randomSource(seed, "faults");
  await using server: VllmServer = await vllmServer();
  await using folder = await temporaryFolder();
  const kinds = Object.values(faults);
  let usd = 0;
  let answered = 0;
  const kindsOfErrors = new Set<string>();
  let kill: (() => void) | undefined;
  server.always(chatPath, async (request, response) => {
    const kind = random.random() < share ? random.choice(kinds) : undefined;
    if (kind?.isBilled ?? true) usd += billUsd;
    if (server.requests.length === killedAt) kill?.();
    await (kind?.answer ?? json(good))(request, response);
  });

  const work = async (name: string): Promise<boolean> => {
    const path = join(folder.path, name, "report.jsonl");
    mkdirSync(join(folder.path, name), { recursive: true });
    await using lm = connect({
      baseUrl: server.baseUrl,
      model: "m",
      concurrency,
      examinationsFolder: null,
      retry: { baseDelayMs: 0, attempts: 6 },
    });
    const killer = new AbortController();
    const { signal } = killer;
    using replies = recordedReplies(lm, path, { budget, prices, signal });
    kill = () => {
      // A kill leaves the file as it was: what this process writes afterwards is lost.
      mkdirSync(join(folder.path, "again"));
      copyFileSync(path, join(folder.path, "again", "report.jsonl"));
      killer.abort();
    };
    const asked = await Promise.allSettled(
      Array.from({ length: calls }, (_, index) =>
        replies.lm.doGenerate(requestOf(`question ${index}`, { sampling }), {
          exampleId: String(index),
          signal,
        }),
      ),
    );
    if (signal.aborted) return true;
    for (const one of asked) {
      if (one.status === "fulfilled") answered++;
      else kindsOfErrors.add((one.reason as EspalierError).kind);
    }
    return false;
  };
  if (await work("first")) await work("again");
  const others = [...kindsOfErrors].filter((kind) => !["budget", "infrastructure"].includes(kind));
  return { requests: server.requests.length, usd, answered, others };
}

const sampling = { ...defaultSampling, maxCompletionTokens: 40 };

/** Drawn anew for each seed. */
function trialOf(seed: number): Trial {
  const random = randomSource(seed, "trials");
  const calls = 5 + random.below(25);
  return {
    budget: {
      ...(random.random() < 0.7 && { lmCalls: 1 + random.below(30) }),
      ...(random.random() < 0.7 && { costUsd: 0.02 + 0.6 * random.random() }),
    },
    share: random.random() < 0.2 ? 0 : 0.7 * random.random(),
    calls,
    concurrency: random.choice([1, 2, 8, 32]),
    killedAt: random.random() < 0.4 ? 1 + random.below(20) : undefined,
  };
}

it("no server counts more requests or money than the caps allow, through faults and kills", async () => {
  const over: object[] = [];
  let answered = 0;
  for (let seed = 0; seed < 500; seed++) {
    const trial = trialOf(seed);
    const { lmCalls = Infinity, costUsd = Infinity } = trial.budget;
    const found = await counted(seed, trial);
    answered += found.answered;
    if (found.requests > lmCalls || found.usd > costUsd || found.others.length > 0)
      over.push({ seed, ...trial, ...found });
  }
  expect(over).toEqual([]);
  // The caps leave room for work.
  expect(answered).toBeGreaterThan(1_000);
});
