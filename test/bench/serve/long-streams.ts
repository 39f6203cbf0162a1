/**
 * A language model's server in its own process, which streams long answers: tokens of four
 * characters, as many as its argument says, in turns among all that ask. `LM_ENDLESS` in a question
 * gets an answer without an end.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";

const tokens = Number(process.argv[2]);
const token = "λόγο";

const server = createServer((incoming, response) => {
  let body = "";
  incoming.setEncoding("utf8");
  incoming.on("data", (piece: string) => (body += piece));
  incoming.on("end", () => {
    if (incoming.method === "POST") {
      void streamed(response, body.includes("LM_ENDLESS") ? Infinity : tokens);
      return;
    }
    response.writeHead(incoming.url === "/v1/models" ? 200 : 404);
    response.end(JSON.stringify({ data: [{ id: "bench" }] }));
  });
});
server.listen(0, "127.0.0.1", 2_048, () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
});

async function streamed(response: ServerResponse, count: number): Promise<void> {
  response.on("error", () => undefined);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(event({ choices: [choice('{"answer":"')] }));
  const some = event({ choices: [choice(token)] }).repeat(atOnce);
  for (let sent = 0; sent < count && !response.destroyed; sent += atOnce) {
    if (!response.write(some))
      await Promise.race([once(response, "drain"), once(response, "close")]);
    await setImmediate();
  }
  const stop = { index: 0, delta: {}, finish_reason: "stop" };
  const usage = { prompt_tokens: 10, completion_tokens: tokens, total_tokens: tokens + 10 };
  const end = [{ choices: [choice('"}')] }, { choices: [stop] }, { choices: [], usage }];
  response.end(`${end.map(event).join("")}data: [DONE]\n\n`);
}

const atOnce = 8;
const choice = (content: string) => ({ index: 0, delta: { content }, finish_reason: null });
const event = (value: object): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "bench", ...value })}\n\n`;
