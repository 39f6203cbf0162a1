import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Collected {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Collected[];
  /** All spans of OTLP requests so far, with their attributes as plain values. */
  spans(): readonly CollectedSpan[];
}

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

/**
 * Takes what is sent, and keeps it: the double of an OTLP collector, and of a tracking server that
 * is not well.
 *
 * @param answer a status; `null` never answers
 */
export async function collector(
  answer: (request: Collected) => number | null = () => 200,
): Promise<Collector> {
  const received: Collected[] = [];
  const server = createServer((incoming, outgoing) => {
    let body = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (piece: string) => (body += piece));
    incoming.on("end", () => {
      const { method = "", url: path = "", headers } = incoming;
      const request = { method, path, headers, body };
      received.push(request);
      const status = answer(request);
      if (status !== null) outgoing.writeHead(status).end("{}");
    });
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: () =>
      received.filter(({ path }) => path === "/v1/traces").flatMap(({ body }) => spansIn(body)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => void server.close(done));
    },
  };
}

type Raw = Omit<CollectedSpan, "attributes" | "events"> & {
  readonly attributes: readonly RawAttribute[];
  readonly events?: readonly {
    readonly name: string;
    readonly attributes: readonly RawAttribute[];
  }[];
};

interface RawAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

function spansIn(body: string): readonly CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    readonly resourceSpans: readonly {
      readonly scopeSpans: readonly { readonly spans: readonly Raw[] }[];
    }[];
  };
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map((span) => ({
      ...span,
      attributes: plain(span.attributes),
      events: (span.events ?? []).map((event) => ({
        ...event,
        attributes: plain(event.attributes),
      })),
    }));
}

function plain(attributes: readonly RawAttribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf(value: Readonly<Record<string, unknown>>): unknown {
  const [[kind, held] = []] = Object.entries(value);
  if (kind === "intValue") return Number(held);
  if (kind !== "arrayValue") return held;
  const { values } = held as { readonly values: readonly Readonly<Record<string, unknown>>[] };
  return values.map(valueOf);
}
