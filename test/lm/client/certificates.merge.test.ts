import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import { createServer as plainServer } from "node:http";
import { createServer as tlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { httpSearch } from "espalier/retrieval";
import { hosted } from "espalier/hosted";
import { connect, openAiCompatible } from "espalier/lm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { trackingServer } from "@espalier/tracking";
import { certificates } from "../../support/certificates.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { requestOf } from "../requests.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const servers: Server[] = [];
const ports: Record<string, number> = {};

async function listening(name: string, server: Server): Promise<void> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  ports[name] = (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  folder = await temporaryFolder();
  const made = certificates(folder.path);
  const [key, cert] = await Promise.all([readFile(made.key), readFile(made.certificate)]);
  await listening(
    "untrusted",
    tlsServer({ key, cert }, (_, response) => void response.end("{}")),
  );
  await listening(
    "plain",
    plainServer((_, response) => void response.end("{}")),
  );
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await folder[Symbol.asyncDispose]();
});

const waits: unknown[] = [];
const retry = { onWait: (wait: unknown) => waits.push(wait) };
const clients: Readonly<
  Record<string, readonly [code: string, (url: string) => Promise<unknown>]>
> = {
  "a model": [
    "lm-untrusted",
    (url) =>
      connect({ baseUrl: `${url}/v1`, model: "m", examinationsFolder: null, retry }).doGenerate(
        requestOf("hi"),
      ),
  ],
  "a model by fetch": [
    "lm-untrusted",
    (url) =>
      openAiCompatible({ baseUrl: `${url}/v1`, model: "m", fetch: globalThis.fetch }).doGenerate(
        requestOf("hi"),
      ),
  ],
  "a hosted model": [
    "lm-untrusted",
    (url) =>
      hosted({ provider: "openai-compatible", apiUrl: `${url}/v1`, model: "m" }).doGenerate(
        requestOf("hi"),
      ),
  ],
  "a search engine": [
    "search-refused",
    (url) => httpSearch({ url, baseDelayMs: 60_000 }).doRetrieve({ query: "q", k: 1 }, {}),
  ],
  "a tracking server": [
    "tracking-refused",
    (url) => trackingServer({ url, baseDelayMs: 60_000 }).ask({ method: "GET", path: "/x" }),
  ],
};

const faults = [
  ["untrusted", /certificate of the .+ is not trusted.*NODE_EXTRA_CA_CERTS/],
  ["plain", /port of the .+ does not speak TLS.*Use http:\/\//],
] as const;
const cases = Object.entries(clients).flatMap(([name, [code, ask]]) =>
  faults.map(([port, told]) => ({ name, port, code, told, ask })),
);

test.each(cases)("$name on an $port port is asked once, with advice", async (given) => {
  const { port, code, told, ask } = given;
  const fault: unknown = await ask(`https://127.0.0.1:${ports[port]}`).catch(
    (error: unknown) => error,
  );
  expect(fault).toMatchObject({ code, kind: "program", message: expect.stringMatching(told) });
  expect(waits).toEqual([]);
});
