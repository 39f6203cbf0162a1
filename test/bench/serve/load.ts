import { httpConnection } from "./http-connection.ts";
import type { HttpReply } from "./http-connection.ts";
import { answerTo, newSecret, questionOf } from "./question.ts";

export interface Load {
  /** The server's URL without `/v1`. */
  readonly url: string;
  /** Each client asks its next question after the answer to the last. */
  readonly clients: number;
  readonly seconds: number;
  /** Which of a client's questions request a stream. */
  readonly isStreamed: (question: number) => boolean;
}

export interface LoadFigures {
  readonly answers: number;
  /** Answers that were wrong, another client's, broken or lost. */
  readonly wrong: number;
  /** The first wrong answer, as received. */
  readonly wrongExample: string | null;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the load generator itself. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Sends questions for the given seconds, waits for the last answers, and checks each. */
export async function load({ url, clients, seconds, isStreamed }: Load): Promise<LoadFigures> {
  const latencies: number[] = [];
  let wrong = 0;
  let wrongExample: string | null = null;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;

  const client = async (): Promise<void> => {
    let connection = await httpConnection(url);
    for (let question = 0; performance.now() < endsAt; question++) {
      const secret = newSecret();
      const isStream = isStreamed(question);
      const askedAt = performance.now();
      try {
        const reply = await connection.post("/v1/chat/completions", bodyOf(secret, isStream));
        latencies.push(performance.now() - askedAt);
        if (answerIn(reply, isStream) === answerTo(secret)) continue;
        wrongExample ??= `${reply.status} ${reply.body.slice(0, 300)}`;
      } catch (error) {
        wrongExample ??= String(error);
        connection[Symbol.dispose]();
        connection = await httpConnection(url);
      }
      wrong++;
    }
    connection[Symbol.dispose]();
  };
  await Promise.all(Array.from({ length: clients }, client));

  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return {
    answers: latencies.length,
    wrong,
    wrongExample,
    perSecond: latencies.length / (wallMs / 1_000),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMs: (user + system) / 1_000,
    wallMs,
  };
}

export function bodyOf(secret: string, isStream: boolean): string {
  const messages = [{ role: "user", content: questionOf(secret) }];
  return JSON.stringify({ model: "bench", messages, ...(isStream && { stream: true }) });
}

/**
 * The text that a client reads from a reply; for a stream, the whole text if the stream completed.
 */
export function answerIn({ status, body }: HttpReply, isStream: boolean): string | null {
  if (status !== 200) return null;
  try {
    if (!isStream) return (JSON.parse(body) as Whole).choices[0].message.content;
    const events = body.split("\n\n").flatMap((event) => {
      return event.startsWith("data: ") ? [event.slice(6)] : [];
    });
    if (events.pop() !== "[DONE]") return null;
    return events
      .map((event) => (JSON.parse(event) as Piece).choices[0]?.delta.content ?? "")
      .join("");
  } catch {
    return null;
  }
}

interface Whole {
  readonly choices: readonly [{ readonly message: { readonly content: string } }];
}

interface Piece {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
}
