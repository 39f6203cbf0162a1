import { connect } from "node:net";
import { expect, test } from "vitest";
import { asked, clientOf, served } from "../served.ts";
import { answering, upstream } from "../upstream.ts";

/** What comes back for these bytes until the server closes the connection. */
function sent(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((done, failed) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
    let heard = "";
    socket.on("data", (data) => (heard += data.toString()));
    socket.on("close", () => done(heard));
    socket.on("error", failed);
  });
}

const host = "host: 127.0.0.1\r\n";
const requests: Readonly<Record<string, { readonly bytes: string; readonly told: string }>> = {
  trace: { bytes: `TRACE / HTTP/1.1\r\n${host}\r\n`, told: "405 method_not_allowed" },
  connect: {
    bytes: `CONNECT a.example:443 HTTP/1.1\r\n${host}\r\n`,
    told: "405 method_not_allowed",
  },
  asterisk: { bytes: `OPTIONS * HTTP/1.1\r\n${host}\r\n`, told: "400 invalid_request" },
  "asterisk of GET": { bytes: `GET * HTTP/1.1\r\n${host}\r\n`, told: "400 invalid_request" },
  "no absolute address": {
    bytes: `GET http://[::1 HTTP/1.1\r\n${host}connection: close\r\n\r\n`,
    told: "400 invalid_request",
  },
  "a backslash": {
    bytes: `GET /\\evil HTTP/1.1\r\n${host}connection: close\r\n\r\n`,
    told: "400 invalid_request",
  },
  "no host": { bytes: "GET /health HTTP/1.1\r\n\r\n", told: "400 invalid_request" },
  "no readable host": {
    bytes: "GET /health HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n",
    told: "400 invalid_request",
  },
  "no HTTP": { bytes: "hello\r\n\r\n", told: "400 invalid_request" },
  "another protocol": { bytes: `GET / FTP/1.1\r\n${host}\r\n`, told: "400 invalid_request" },
  "two lengths": {
    bytes: `POST /run HTTP/1.1\r\n${host}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
    told: "400 invalid_request",
  },
  "a broken chunk": {
    bytes: `POST /v1/chat/completions HTTP/1.1\r\n${host}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    told: "400 invalid_request",
  },
  "long headers": {
    bytes: `GET / HTTP/1.1\r\n${host}x-a: ${"a".repeat(20_000)}\r\n\r\n`,
    told: "431 headers_too_large",
  },
  "an expectation": {
    bytes: `GET /health HTTP/1.1\r\n${host}expect: gold\r\n\r\n`,
    told: "417 expectation_failed",
  },
};

test.for(Object.entries(requests))(
  "%s gets an error in the API's shape",
  async ([, { bytes, told }]) => {
    await using lm = await upstream(answering("There."));
    await using server = await served(lm);
    const heard = await sent(server.url, bytes);
    const [head = "", body = ""] = heard.split("\r\n\r\n");
    expect(head).toMatch(/content-type: application\/json/i);
    const { error } = JSON.parse(body) as { error: Readonly<Record<string, unknown>> };
    expect(`${head.split(" ")[1]} ${String(error["code"])}`).toBe(told);
    expect(error).toMatchObject({ type: "invalid_request_error", param: null });
    expect(error["message"]).toEqual(expect.any(String));
    // Nobody else is harmed.
    await clientOf(server).chat.completions.create(asked());
  },
);

test("requests that are refused before any route are counted", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm);
  await sent(server.url, requests["trace"]?.bytes ?? "");
  await sent(server.url, requests["no HTTP"]?.bytes ?? "");
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  for (const labels of [
    'status="405",code="method_not_allowed"',
    'status="400",code="invalid_request"',
  ]) {
    expect(metrics).toContain(`espalier_refused_requests_total{${labels}} 1`);
  }
});
