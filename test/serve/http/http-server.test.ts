import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { mmuRag } from "../../../programs/r2rag/mmu-rag/index.ts";
import { expect, test } from "vitest";
import { coalesceHeaders } from "../../../src/serve/http/http-server.ts";
import { asked, served } from "../served.ts";
import { upstream } from "../upstream.ts";

test.each([
  ["/v1/chat/completions", { ...asked(), stream: true }, '"role":"assistant"'],
  // Says nothing before the program does.
  ["/run", { question: "Where?" }, "text/event-stream"],
])(
  "the head of a stream of %s is sent with what there is to say, while the LM is still silent",
  async (path, body, said) => {
    await using lm = await upstream(() => undefined);
    await using server = await served(lm, { adapters: [mmuRag({ model: "at-once" })] });
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const json = JSON.stringify(body);
    const head = `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: ${json.length}\r\n\r\n${json}`);
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(first.toString()).toContain(said);
    socket.destroy();
  },
);

test("head and first piece are handed to the socket together, and what comes later as it comes", async () => {
  const kept: boolean[] = [];
  await using server = createServer((_, outgoing) => {
    const note = (): number => kept.push((outgoing.socket?.writableLength ?? 0) > 0);
    coalesceHeaders(outgoing);
    // As a stream has its first piece written, before it is opened.
    setImmediate(() => {
      outgoing.write("a");
      note();
      setImmediate(() => {
        note();
        outgoing.end("b");
      });
    });
    outgoing.writeHead(200).flushHeaders();
    note();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect(await response.text()).toBe("ab");
  expect(kept).toEqual([true, true, false]);
});
