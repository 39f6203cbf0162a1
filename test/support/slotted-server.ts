import { setTimeout as delay } from "node:timers/promises";
import type { VllmServer } from "./vllm-server.ts";
import { chat, chatPath, raw, reset, vllmServer } from "./vllm-server.ts";

/** A server with few slots, as vLLM's batch has: calls beyond them wait in its own queue. */
export interface SlottedServer extends VllmServer {
  readonly answered: number;
  /** Largest number that waited in its queue at one time. */
  readonly maxWaiting: number;
  /** Cuts every connection from now on, those in flight too. */
  die(): void;
  /** Answers again. */
  revive(): void;
}

/** @param options.tellsQueue whether `/metrics` says how many requests wait */
export async function slottedServer({
  slots,
  serviceMs,
  tellsQueue = true,
  ...where
}: {
  readonly slots: number;
  readonly serviceMs: number;
  readonly tellsQueue?: boolean;
  readonly host?: string;
  readonly port?: number;
  readonly model?: string;
}): Promise<SlottedServer> {
  const server = await vllmServer(where);
  const queue: (() => void)[] = [];
  const open = new Set<() => void>();
  let running = 0;
  let answered = 0;
  let maxWaiting = 0;
  let isDead = false;

  const answer = chat({});
  server.always(chatPath, async (request, response) => {
    if (isDead) return void reset(request, response);
    const cut = (): void => void response.socket?.destroy();
    open.add(cut);
    if (running >= slots) {
      const turn = new Promise<void>((begin) => queue.push(begin));
      maxWaiting = Math.max(maxWaiting, queue.length);
      await turn;
    } else running += 1;
    if (!isDead) await delay(serviceMs);
    open.delete(cut);
    if (!isDead) {
      answered += 1;
      await answer(request, response);
    }
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  });
  server.always("/health", (request, response) =>
    (isDead ? reset : raw("", "text/plain"))(request, response),
  );
  if (tellsQueue) {
    server.always("/metrics", (request, response) => {
      const text = `vllm:num_requests_running{engine="0"} ${running}\nvllm:num_requests_waiting{engine="0"} ${queue.length}\n`;
      (isDead ? reset : raw(text, "text/plain"))(request, response);
    });
  }
  return {
    baseUrl: server.baseUrl,
    requests: server.requests,
    script: (path, ...answers) => server.script(path, ...answers),
    always: (path, given) => server.always(path, given),
    get maxInFlight() {
      return server.maxInFlight;
    },
    get answered() {
      return answered;
    },
    get maxWaiting() {
      return maxWaiting;
    },
    die: () => {
      isDead = true;
      for (const cut of open) cut();
      open.clear();
    },
    revive: () => {
      isDead = false;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
