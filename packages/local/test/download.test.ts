import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { download } from "../src/models/download.ts";

const weights = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
const sha256 = createHash("sha256").update(weights).digest("hex");

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function server(handler: Handler): Promise<AsyncDisposable & { readonly url: string }> {
  const listening = createServer(handler).listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/weights.gguf`,
    [Symbol.asyncDispose]: async () => {
      listening.closeAllConnections();
      listening.close();
      await once(listening, "close");
    },
  };
}

/** As a server of files does it: whole, or from a byte on. */
const serveRange: Handler = ({ headers }, response) => {
  const from = Number(/bytes=(\d+)-/.exec(headers.range ?? "")?.[1] ?? 0);
  if (from >= weights.length) return void response.writeHead(416).end();
  const body = weights.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, { "Content-Length": body.length }).end(body);
};

test("a file is fetched, checked, and tells how far it is", async () => {
  await using folder = await temporaryFolder();
  await using source = await server(serveRange);
  const path = join(folder.path, "w.gguf");
  const seen: (readonly [number, number | null])[] = [];
  const { url } = source;
  await download(path, { url, sha256, onProgress: (...progress) => seen.push(progress) });
  expect(await readFile(path)).toEqual(weights);
  expect(seen.at(-1)).toEqual([weights.length, weights.length]);
  expect(existsSync(`${path}.part`)).toBe(false);
});

test("a broken transfer goes on where it stopped", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "w.gguf");
  const asked: (string | undefined)[] = [];
  const broken = Promise.withResolvers<ServerResponse>();
  await using source = await server((request, response) => {
    asked.push(request.headers.range);
    if (asked.length > 1) return serveRange(request, response);
    response.writeHead(200, { "Content-Length": weights.length });
    response.write(weights.subarray(0, 70_000));
    broken.resolve(response);
  });
  const first = download(path, {
    url: source.url,
    sha256,
    onProgress: async (bytes) => bytes === 70_000 && (await broken.promise).destroy(),
  });
  await expect(first).rejects.toMatchObject({ code: "lm-unreachable" });
  expect(existsSync(path)).toBe(false);
  await download(path, { url: source.url, sha256 });
  expect(await readFile(path)).toEqual(weights);
  expect(asked).toEqual([undefined, "bytes=70000-"]);
});

test("an abort keeps what came, and rejects with the signal's reason", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "w.gguf");
  await using source = await server((_, response) => {
    response.writeHead(200, { "Content-Length": weights.length });
    response.write(weights.subarray(0, 50_000));
  });
  const stop = new AbortController();
  const reason = new Error("enough");
  const call = download(path, {
    url: source.url,
    signal: stop.signal,
    onProgress: (bytes) => bytes === 50_000 && stop.abort(reason),
  });
  await expect(call).rejects.toBe(reason);
  expect((await readFile(`${path}.part`)).length).toBe(50_000);
});

test("a part that is complete is taken, and one that is too long begins anew", async () => {
  await using folder = await temporaryFolder();
  await using source = await server(serveRange);
  const path = join(folder.path, "w.gguf");
  await writeFile(`${path}.part`, weights);
  await download(path, { url: source.url, sha256 });
  expect(await readFile(path)).toEqual(weights);
  const other = join(folder.path, "v.gguf");
  await writeFile(`${other}.part`, Buffer.concat([weights, weights]));
  const wrong = download(other, { url: source.url, sha256 });
  await expect(wrong).rejects.toMatchObject({ code: "file-malformed" });
  await download(other, { url: source.url, sha256 });
  expect(await readFile(other)).toEqual(weights);
});

test("other weights than the expected are removed", async () => {
  await using folder = await temporaryFolder();
  await using source = await server(serveRange);
  const path = join(folder.path, "w.gguf");
  const call = download(path, { url: source.url, sha256: "0".repeat(64) });
  await expect(call).rejects.toMatchObject({
    code: "file-malformed",
    message: expect.stringContaining(sha256),
  });
  expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
});

test.each([
  [404, "Check the repository"],
  [401, "HF_TOKEN"],
])("a refusal with %s says what to do", async (status, advice) => {
  await using folder = await temporaryFolder();
  await using source = await server((_, response) => void response.writeHead(status).end());
  const call = download(join(folder.path, "w.gguf"), { url: source.url });
  await expect(call).rejects.toMatchObject({
    code: "lm-not-found",
    message: expect.stringContaining(advice),
  });
});
