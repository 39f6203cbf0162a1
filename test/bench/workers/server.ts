/** A chat server of a fixed latency, in a process of its own: `server.ts MS`. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const latencyMs = Number(process.argv[2]);
let measured: number[] = [];
const reply = JSON.stringify({
  id: "1",
  object: "chat.completion",
  created: 0,
  model: "bench",
  choices: [
    {
      index: 0,
      finish_reason: "stop",
      message: { role: "assistant", content: JSON.stringify({ answer: "it" }) },
    },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 },
});
const server = createServer((request, response) => {
  const send = (body: string): void => {
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  };
  if (request.url === "/measured") {
    send(JSON.stringify(measured));
    measured = [];
  } else if (request.url === "/v1/models") {
    send(JSON.stringify({ object: "list", data: [{ id: "bench", object: "model" }] }));
  } else {
    const start = performance.now();
    request.resume().on("end", () =>
      setTimeout(() => {
        send(reply);
        measured.push(performance.now() - start);
      }, latencyMs),
    );
  }
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
