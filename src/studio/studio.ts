import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Worker } from "node:worker_threads";
import type { Context, Hono } from "hono";
import { messageOf, EspalierError } from "../errors/index.ts";
import type { Clock } from "../internal/index.ts";
import { isObject, systemClock } from "../internal/index.ts";
import { runFolderFiles } from "../optimizer/files.ts";
import { studioFiles } from "../report-page/index.ts";
import type { GuardedServer, GuardedTools } from "../serve/index.ts";
import { ApiError, eventStreamHeaders, guardedServer } from "../serve/index.ts";
import { comparer } from "./comparisons.ts";
import type { Found, FoundItem } from "./finding/find-sources.ts";
import { sourceFinder } from "./finding/find-sources.ts";
import { lister } from "./listing/listing.ts";
import { live } from "./live.ts";
import { splitNames } from "../contract/index.ts";
import { filesStamp, runState } from "./finding/run-state.ts";
import type {
  RolloutGiven,
  SourceWork,
  ThreadAnswer,
  ThreadRequest,
} from "./thread/source-work.ts";

export interface StudioOptions {
  readonly folder: string;
  /** Files of servers, besides those below the folder. @default none */
  readonly serverFiles?: readonly string[];
  /** Starts a thread whose module calls `answerInThread`: it reads and compares what is found. */
  readonly startThread: () => Worker;
  /** Whether studies were named: a fault of one is then a fault of the start. @default false */
  readonly hasStudies?: boolean;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Called with errors that no request should have met. */
  readonly onFault: (error: unknown) => void;
  /** @default that of the system */
  readonly clock?: Clock;
}

/**
 * Serves pages over all runs, results, artifacts, registries and servers' files below a folder.
 * Changes nothing there, but for the file `stop` in the folder of a run that is to end.
 *
 * Rejects with Node's own error if it cannot bind to the port, and with what loading the named
 * studies throws.
 */
export async function studio({
  folder,
  serverFiles = [],
  startThread,
  hasStudies = false,
  host,
  port,
  onFault,
  clock = systemClock,
}: StudioOptions): Promise<GuardedServer> {
  const now = (): number => clock.now();
  const find = sourceFinder(resolve(folder), { further: serverFiles });
  await using opened = new AsyncDisposableStack();
  const thread = opened.use(sourceThread(startThread));
  if (hasStudies) await thread.loadStudies(null);
  const list = lister({ folder, work: thread, clock });
  const compare = comparer({ work: thread, now });
  const watch = opened.use(live({ find, now, onFault }));
  const server = await guardedServer({
    host,
    port,
    onFault,
    mount: (app, tools) => {
      pageRoutes(app);
      app.get("/api/listing", async (c) => answered(c, await list(await find())));
      app.get("/api/comparison", async (c) => {
        const found = await find();
        const items = (c.req.queries("source") ?? []).map((id) => itemOf(found, id));
        return inPieces(await compare(items));
      });
      app.post("/api/rollout", async (c) => {
        const found = await find();
        const asked = rolloutAsked(await tools.readJson(c.req.raw), (id) => itemOf(found, id));
        const rollout = await thread.rollout(asked).catch((error: unknown) => {
          throw new ApiError(400, "rollout_missing", messageOf(error));
        });
        return answered(c, rollout);
      });
      app.get("/api/live", (c) => {
        let leave = (): void => undefined;
        const stream = tools.eventStream(() => leave());
        leave = watch.listen((event) => stream.send(JSON.stringify(event)));
        return c.body(stream.open(), 200, { ...eventStreamHeaders });
      });
      app.post("/api/stop", (c) => stopRun(c, tools, find));
    },
  });
  const rest = opened.move();
  return {
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      // Before the server, which waits for those whom it still has to answer.
      await rest.disposeAsync();
      await server[Symbol.asyncDispose]();
    },
  };
}

const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
};

function pageRoutes(app: Hono): void {
  for (const { path, type, content } of studioFiles()) {
    app.get(path, (c) => c.body(content, 200, { ...pageHeaders, "content-type": type }));
  }
}

/** What was read may change at any time. */
function answered(c: Context, value: object): Response {
  return c.json(value, 200, { "cache-control": "no-store" });
}

/** A JSON text whose pieces are too large to be put together first. */
function inPieces(pieces: readonly Uint8Array[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  return new Response(body, {
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
}

/** A request names what was found; its words never become a path. */
function itemOf({ runs, results, artifacts }: Found, id: string): FoundItem {
  const item = [...runs, ...results, ...artifacts].find((one) => one.id === id);
  if (item !== undefined) return item;
  throw new ApiError(404, "source_unknown", "This run, result or artifact no longer exists.");
}

async function stopRun(
  c: Context,
  { readJson }: GuardedTools,
  find: () => Promise<Found>,
): Promise<Response> {
  const body = await readJson(c.req.raw);
  const id = isObject(body) ? body["run"] : undefined;
  const run = (await find()).runs.find((one) => one.id === id);
  if (run === undefined) throw new ApiError(404, "run_unknown", "This run no longer exists.");
  if (runState(run.path) === "running") {
    // As `touch` does: whoever runs the search may read and remove it.
    writeFileSync(runFolderFiles(run.path).stop, "", { flag: "a" });
  }
  return answered(c, { state: runState(run.path) });
}

/**
 * What a request for one candidate's run on one example asks for. It comes by POST, which only the
 * studio's own pages can send: a program runs for it.
 *
 * @throws ApiError 400, and what `itemOf` throws
 */
function rolloutAsked(body: unknown, itemOf: (id: string) => FoundItem): RolloutGiven {
  const { source, candidate, split, example } = isObject(body) ? body : {};
  const known = splitNames.find((name) => name === split);
  if (
    typeof source !== "string" ||
    typeof candidate !== "number" ||
    typeof example !== "string" ||
    known === undefined
  ) {
    throw new ApiError(
      400,
      "rollout_invalid",
      "Name a `source`, the number of its `candidate`, a `split`, and the id of an `example`.",
    );
  }
  const { path } = itemOf(source);
  return { path, stamp: filesStamp(path), candidate, split: known, exampleId: example };
}

/** Work on sources in a thread of its own, so that pages are answered meanwhile. */
interface SourceThread extends SourceWork, AsyncDisposable {}

/**
 * The thread begins with the first request, and begins anew after it has died.
 *
 * @param start starts a thread whose module calls `answerInThread`
 */
function sourceThread(start: () => Worker): SourceThread {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let [worker, count] = [undefined as Worker | undefined, 0];

  const answered = ({ number, value, problem, own }: ThreadAnswer): void => {
    const asked = waiting.get(number);
    waiting.delete(number);
    if (own !== undefined) asked?.reject(new EspalierError(own));
    else if (problem !== undefined) asked?.reject(new Error(problem));
    else asked?.resolve(value);
  };
  const failed = (problem: string): void => {
    worker = undefined;
    for (const number of waiting.keys()) answered({ number, problem });
  };
  const started = (): Worker => {
    const thread = start();
    // The server keeps the process alive, not its thread.
    thread.unref();
    thread.on("message", answered);
    thread.on("error", (error) => failed(`The studio's thread has failed: ${messageOf(error)}`));
    thread.on("exit", () => {
      if (worker === thread) failed("The studio's thread has ended.");
    });
    return thread;
  };
  const ask =
    (name: ThreadRequest["name"]) =>
    async <TAnswer>(given: unknown): Promise<TAnswer> => {
      worker ??= started();
      const number = ++count;
      const asked = Promise.withResolvers<unknown>();
      waiting.set(number, asked);
      const request: ThreadRequest = { number, name, given };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not a window
      worker.postMessage(request);
      return (await asked.promise) as TAnswer;
    };
  return {
    loadStudies: ask("loadStudies"),
    compare: ask("compare"),
    figures: ask("figures"),
    server: ask("server"),
    rollout: ask("rollout"),
    [Symbol.asyncDispose]: async () => {
      const ending = worker;
      failed("The studio has ended.");
      await ending?.terminate();
    },
  };
}
