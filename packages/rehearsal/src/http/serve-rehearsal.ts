import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import type { Clock } from "../../../../src/internal/index.ts";
import { sha256, systemClock } from "../../../../src/internal/index.ts";
import type { CallReport } from "./call-log.ts";
import { callLog } from "./call-log.ts";
import { engineOf } from "./engine.ts";
import type { FaultShares } from "./faults.ts";
import { faultsOf, spoilt } from "./faults.ts";
import type { Latency } from "./latency.ts";
import { latencyOf } from "./latency.ts";
import { answerTo } from "./answer-to.ts";
import { routes } from "./routes.ts";
import { send } from "./send.ts";

export interface RehearsalServerOptions {
  /** 0 picks any free port. @default 0 */
  readonly port?: number;
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** Name of the only served model. @default "rehearsal" */
  readonly model?: string;
  /** Tokens of prompt and reply together. @default 32768 */
  readonly maxModelLength?: number;
  readonly faults?: FaultShares;
  /** Minimum duration of a model call. @default 0 */
  readonly latencyMs?: Latency;
  /** Seeds faults and latencies; replies depend only on the request's seed. @default 0 */
  readonly seed?: number;
  /** Simulates a prefix cache and reports cached tokens. @default false */
  readonly reportsCachedTokens?: boolean;
  /** Number of calls kept in the report's log. @default 10000 */
  readonly keptCalls?: number;
  readonly clock?: Clock;
}

/** A running server; `await using` stops it. */
export interface RehearsalServer extends AsyncDisposable {
  /** Without a path: `http://127.0.0.1:8000`. */
  readonly url: string;
  /** The content of `GET /rehearsal/calls`; calls of that route are not counted. */
  calls(): CallReport;
  /** Drops open connections, including stalled ones, and closes the port. */
  stop(): Promise<void>;
}

/** Serves the rehearsal models as vLLM serves real ones. */
export async function serveRehearsal({
  port = 0,
  host = "127.0.0.1",
  model = "rehearsal",
  maxModelLength = 32_768,
  faults: shares = {},
  latencyMs = 0,
  seed = 0,
  reportsCachedTokens = false,
  keptCalls = 10_000,
  clock = systemClock,
}: RehearsalServerOptions = {}): Promise<RehearsalServer> {
  const engine = engineOf({ model, maxModelLength, reportsCachedTokens });
  const faults = faultsOf(shares, seed);
  const log = callLog({ kept: keptCalls });

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const receivedAt = clock.now();
    const endpoint = `${request.method ?? "GET"} ${new URL(request.url ?? "/", "http://host").pathname}`;
    if (endpoint === "GET /rehearsal/calls") {
      await send(response, { kind: "json", status: 200, body: log.report() }, undefined);
      return;
    }
    const index = log.receive();
    const isModelCall = routes.get(endpoint)?.isModelCall ?? false;
    const body = await readBody(request);
    const requestHash = body === "" ? "" : sha256(`${endpoint}\n${body}`);
    const fault = isModelCall ? faults.ofCall(index) : undefined;
    const latency = isModelCall ? latencyOf(latencyMs, seed, index) : 0;
    let isSpoilt = false;
    const spoil = (text: string): string => {
      isSpoilt = faults.spoils(requestHash);
      return isSpoilt ? spoilt(text) : text;
    };
    const answer = await answerTo({ endpoint, body, engine, spoil });
    const rest = latency - (clock.now() - receivedAt);
    if (rest > 0) await clock.sleep(rest);
    answer.afterLatency?.();
    response.setHeader("x-rehearsal-latency-ms", latency.toFixed(3));
    const status = await send(response, answer, fault);
    log.record({
      index,
      endpoint,
      status,
      fault: fault ?? (isSpoilt ? "unparseable-content" : null),
      latencyMs: latency,
      measuredMs: clock.now() - receivedAt,
      requestHash,
    });
  };

  const server = createServer((request, response) => {
    // A client that disconnects while sending is not a server fault.
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, "listening");
  const { port: taken } = server.address() as AddressInfo;

  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${shownHost}:${taken}`,
    calls: () => log.report(),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The whole body, as UTF-8. */
async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}
