import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { randomSource } from "espalier";
import { readPreferences } from "espalier/serve";
import { serveCli } from "../support/serve-cli.ts";
import type { Reaction } from "./ask-served.ts";
import { askServed, readiness } from "./ask-served.ts";
import { lmProcess } from "./lm-process.ts";
import type { OutageRow, OutageSetup } from "./outage-setup.ts";
import { servingFile } from "./served-model.ts";

/**
 * Asks `espalier serve` the same questions before, during and after an outage that is longer than
 * its patience.
 */
export async function serveOutage({
  folder,
  outageMs,
  servePatience: patience,
  seed,
  latencyMs,
  questions: all,
}: OutageSetup): Promise<readonly OutageRow[]> {
  const cwd = join(folder, "serve");
  await mkdir(cwd);
  const feedback = join(cwd, "feedback.sqlite");
  await using lm = await lmProcess(latencyMs);
  const server = await serveCli(
    [servingFile, "--lm", lm.baseUrl, "--patience", String(patience), "--feedback", feedback],
    { cwd },
  );
  // As many as it answers at once: no request waits for another one.
  const questions = all.slice(0, 16);
  const askAll = (): Promise<readonly Reaction[]> =>
    Promise.all(questions.map((question) => askServed(server.url, question)));

  const before = await askAll();
  const ofCalls = await lm.chatCalls();
  const isOver = new AbortController();
  const asking = questions.map(async (question, index) => {
    const reactions: Reaction[] = [];
    while (!isOver.signal.aborted) {
      reactions.push(await askServed(server.url, question));
      await delay(outageMs / 300);
    }
    return reactions.map((reaction) => ({ reaction, expected: before[index] }));
  });
  const afterCalls = ofCalls + 1 + randomSource(seed, "outage/serve").below(ofCalls);
  await lm.diesAfter(afterCalls);
  const killedAt = performance.now();
  await delay(outageMs);
  const away = await readiness(server.url);
  const backAt = performance.now();
  await lm.restart();
  isOver.abort();
  const during = (await Promise.all(asking)).flat();
  const after = await askAll();
  const back = await readiness(server.url);
  const { code } = await server.end();

  const refused = during.filter(({ reaction }) => reaction.status !== 200);
  const answered = during.filter(({ reaction }) => reaction.status === 200);
  // A request that is refused has worked before, on a machine that others use, too.
  const maxWorkMs = 10_000 + 3 * Math.max(...before.map(({ tookMs }) => tookMs));
  const slowestMs = Math.max(...refused.map(({ reaction }) => reaction.tookMs));
  const [tally] = readPreferences(feedback);
  const complete = before.length + after.length + answered.length;
  const problems: readonly (readonly [holds: boolean, problem: string])[] = [
    [before.every(({ status }) => status === 200), "a question failed before the outage"],
    [refused.length > 0, "no request was refused"],
    ...refused.map(({ reaction }) => [isHonest(reaction), refusalOf(reaction)] as const),
    [
      slowestMs <= patience * 60_000 + maxWorkMs,
      `a refusal took ${Math.round(slowestMs / 1_000)} s`,
    ],
    [
      answered.every(({ reaction, expected }) =>
        isDeepStrictEqual(reaction.choices, expected?.choices),
      ),
      "an answer beside the outage differs",
    ],
    [
      after.every(({ status, choices }, index) =>
        isDeepStrictEqual([status, choices], [200, before[index]?.choices]),
      ),
      "an answer after the outage differs",
    ],
    [away === 503, `/ready was ${away} while the LM was away`],
    [back === 200, `/ready is ${back} though the LM is back`],
    [
      tally?.completions === complete,
      `${tally?.completions ?? 0} answers were kept, of ${complete} that were complete`,
    ],
    [code === 0, `ended with ${code}`],
  ];
  return [
    {
      command: "serve",
      patience,
      killedAfter: afterCalls - ofCalls,
      ofCalls,
      awaySeconds: Math.round((backAt - killedAt) / 1_000),
      went: `${refused.length} refused within ${(slowestMs / 1_000).toFixed(1)} s, ${answered.length} answered`,
      same: ["answers"],
      problems: [...new Set(problems.flatMap(([holds, problem]) => (holds ? [] : [problem])))],
    },
  ];
}

/** A 5xx that names the LM as the one who failed. */
function isHonest({ status, code }: Reaction): boolean {
  return status >= 500 && code !== null && honestCodes.has(code);
}

const honestCodes: ReadonlySet<string> = new Set([
  "lm_unreachable",
  "lm_unavailable",
  "lm_bad_envelope",
]);

function refusalOf({ status, code }: Reaction): string {
  return `a request was refused with ${status} ${code ?? "without a code"}`;
}
