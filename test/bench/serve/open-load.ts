import { answerIn, bodyOf } from "./load.ts";
import type { HttpConnection } from "./http-connection.ts";
import { httpConnection } from "./http-connection.ts";
import { answerTo, newSecret } from "./question.ts";

/**
 * Sends questions at a fixed rate, regardless of earlier answers, and times each from when it was
 * due: a delayed answer also delays those behind it, and all of them count.
 */
export async function openLoad({
  url,
  perSecond,
  seconds,
}: {
  readonly url: string;
  readonly perSecond: number;
  readonly seconds: number;
}): Promise<{ readonly latenciesMs: readonly number[]; readonly wrong: number }> {
  const latenciesMs: number[] = [];
  const free: HttpConnection[] = [];
  let wrong = 0;
  const ask = async (dueAt: number): Promise<void> => {
    const secret = newSecret();
    try {
      const connection = free.pop() ?? (await httpConnection(url));
      const reply = await connection.post("/v1/chat/completions", bodyOf(secret, false));
      latenciesMs.push(performance.now() - dueAt);
      free.push(connection);
      if (answerIn(reply, false) !== answerTo(secret)) wrong++;
    } catch {
      wrong++;
    }
  };
  const startedAt = performance.now();
  const asking: Promise<void>[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const ticking = setInterval(() => {
    const due = Math.min((performance.now() - startedAt) / 1_000, seconds) * perSecond;
    while (asking.length < Math.floor(due)) {
      asking.push(ask(startedAt + ((asking.length + 1) * 1_000) / perSecond));
    }
    if (asking.length >= Math.floor(seconds * perSecond)) resolve();
  }, 1);
  await promise;
  clearInterval(ticking);
  await Promise.all(asking);
  for (const connection of free) connection[Symbol.dispose]();
  return { latenciesMs, wrong };
}
