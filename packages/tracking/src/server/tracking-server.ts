import type { JsonObject } from "../../../../src/contract/index.ts";
import { EspalierError, messageOf } from "../../../../src/errors/index.ts";
import type { Clock } from "../../../../src/internal/index.ts";
import {
  boundedText,
  bodyLimits,
  checkCount,
  checkHeaders,
  checkMilliseconds,
  credentialsIn,
  excerpt,
  foreignJson,
  withWholeEscapes,
  isObject,
  jsonOrUndefined,
  secretMask,
  systemClock,
  tlsAdvice,
  withoutCredentials,
} from "../../../../src/internal/index.ts";

export interface TrackingServerOptions {
  /** Of the server, such as `http://127.0.0.1:5000`. */
  readonly url: string;
  /** Sent with each request; their values are secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Never sent, wherever they occur. */
  readonly secrets?: readonly string[];
  /** Longest wait for one reply. @default 60_000 */
  readonly timeoutMs?: number;
  /** Requests of each call, the first one included, as long as faults are transient. @default 4 */
  readonly attempts?: number;
  /** Pause after the first fault; it doubles with each. @default 500 */
  readonly baseDelayMs?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export interface TrackingServer {
  /** Without credentials. */
  readonly url: string;
  /**
   * Asks one route.
   *
   * @returns the reply, or `null` if there is no such thing (404)
   * @throws EspalierError `tracking-failed`, `tracking-refused`
   */
  ask(request: TrackingRequest): Promise<JsonObject | null>;
}

export interface TrackingRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** After the server's URL, such as `/api/2.0/mlflow/runs/get` or `/v1/traces`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: JsonObject;
  /** Sent as it is, in place of `body`. */
  readonly file?: { readonly content: string; readonly type: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent once, whatever comes: sent again, it would make a second thing. */
  readonly isSentOnce?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * A server that takes runs or traces, over HTTP with JSON. Asks again after transient faults.
 *
 * @throws EspalierError `option-invalid`
 */
export function trackingServer({
  url,
  headers: own = {},
  secrets = [],
  timeoutMs = 60_000,
  attempts = 4,
  baseDelayMs = 500,
  signal,
  clock = systemClock,
}: TrackingServerOptions): TrackingServer {
  const base = checkedUrl(url);
  checkMilliseconds("timeoutMs", timeoutMs, { least: 1 });
  checkMilliseconds("baseDelayMs", baseDelayMs);
  checkCount("attempts", attempts);
  const masked = secretMask([...secrets, ...Object.values(own), ...credentialsIn(url)]);
  const { maxReplyBytes } = bodyLimits(64 * 2 ** 20);

  const once = async (request: TrackingRequest): Promise<JsonObject | null> => {
    const { method, path, query = {}, body, file, headers } = request;
    const where = `${base.origin}${base.pathname.replace(/\/$/, "")}${path}`;
    const address = new URL(where);
    for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value);
    const content = file?.content ?? (body && JSON.stringify(body));
    const signals = [signal, request.signal].filter((each) => each !== undefined);
    checkHeaders(own, where);
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const reply = await fetch(address, {
        method,
        headers: {
          ...(content !== undefined && { "content-type": file?.type ?? "application/json" }),
          ...own,
          ...headers,
        },
        ...(content !== undefined && { body: withWholeEscapes(masked(content)) }),
        // A redirect would take the credentials elsewhere.
        redirect: "manual",
        signal: AbortSignal.any([...signals, deadline]),
      });
      const text = await boundedText(reply.body ?? noBody, { maxBytes: maxReplyBytes });
      return readReply({ status: reply.status, text: masked(text), where });
    } catch (error) {
      for (const each of signals) each.throwIfAborted();
      if (EspalierError.isInstance(error)) throw error;
      const got = masked(causeOf(error)).trim();
      const cause = error instanceof Error ? error.cause : undefined;
      const ofTls = tlsAdvice(cause, "the tracking server", "http://");
      if (ofTls === undefined) throw failed(where, got, error);
      throw new EspalierError({ code: "tracking-refused", ...ofTls, got, where, cause: error });
    }
  };

  return {
    url: withoutCredentials(url),
    ask: async (request) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(request);
        } catch (error) {
          const isTransient = EspalierError.isInstance(error) && error.code === "tracking-failed";
          if (!isTransient || request.isSentOnce || attempt >= attempts) throw error;
          await clock.sleep(baseDelayMs * 2 ** (attempt - 1), request.signal ?? signal);
        }
      }
    },
  };
}

const noBody: AsyncIterable<Uint8Array> = new Blob([]).stream();

function readReply({
  status,
  text,
  where,
}: {
  readonly status: number;
  readonly text: string;
  readonly where: string;
}): JsonObject | null {
  if (status >= 200 && status < 300) {
    const value = text === "" ? {} : jsonOrUndefined(text);
    // OTLP is answered in protobuf.
    return isObject(value) ? (value as JsonObject) : {};
  }
  if (status === 404) return null;
  const got = `HTTP ${status}: ${excerpt(text, 300)}`;
  if (status >= 500 || status === 408 || status === 429) throw failed(where, got);
  throw new EspalierError({
    code: "tracking-refused",
    problem: "The tracking server refused a request",
    where,
    got,
    ...((status === 401 || status === 403) && {
      fix: "Set MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD.",
    }),
  });
}

function failed(where: string, got: string, cause?: unknown): EspalierError {
  return new EspalierError({
    code: "tracking-failed",
    problem: "The tracking server could not be reached, or failed",
    where,
    got,
    fix: "Check that it is running. Nothing in a run's folder is lost: send it with `espalier mlflow`.",
    ...(cause !== undefined && { cause }),
  });
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
}

function checkedUrl(url: string): URL {
  const address = URL.parse(url);
  if (address?.protocol === "http:" || address?.protocol === "https:") return address;
  throw new EspalierError({
    code: "option-invalid",
    problem: "The URL of the tracking server is invalid",
    expected: "a URL such as `http://127.0.0.1:5000`",
    got: `\`${withoutCredentials(foreignJson(url))}\``,
  });
}
