import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A search as it came over the wire. */
export interface ReceivedSearch {
  readonly method: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type SearchReply =
  /** Documents, which travel as base64 of JSON. */
  | readonly object[]
  | {
      readonly status?: number;
      readonly body: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** It is the client that must give up. */
  | "unanswered";

export interface SearchServer extends AsyncDisposable {
  /** Of the search route. */
  readonly url: string;
  readonly received: readonly ReceivedSearch[];
}

/**
 * A search engine on a free port that speaks as DeepResearchGym's does, and finds what the test
 * says.
 */
export async function searchServer(
  find: (search: ReceivedSearch, index: number) => SearchReply | Promise<SearchReply>,
): Promise<SearchServer> {
  const received: ReceivedSearch[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "", "http://127.0.0.1");
    const search = {
      method: incoming.method ?? "",
      body: await text(incoming),
      path: pathname,
      parameters: Object.fromEntries(searchParams),
      headers: incoming.headers,
    };
    const found = await find(search, received.push(search) - 1);
    if (found === "unanswered") return;
    const reply = "body" in found ? found : { body: encoded(found) };
    const { status = 200, body, headers = {} } = reply;
    outgoing.writeHead(status, { "content-type": "application/json", ...headers });
    outgoing.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/search`,
    received,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function encoded(documents: readonly object[]): string {
  const results = documents.map((document) =>
    Buffer.from(JSON.stringify(document)).toString("base64"),
  );
  return JSON.stringify({ results });
}
