import { fork } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

/**
 * A chat server in its own process, so that its CPU does not count as the client's. It answers
 * every request the same way: as JSON if the request has a JSON schema, otherwise as one `Field:
 * value` per line.
 */
export interface ReplyServer extends AsyncDisposable {
  /** Ends with `/v1`. */
  readonly url: string;
  /** From the arrival of each request to the end of its reply, in ms, in order of arrival. */
  latencies(): Promise<readonly number[]>;
}

export interface ReplyServerOptions {
  /** Delay of each reply, varied by +- `jitter`. @default 0 */
  readonly latencyMs?: number;
  /** Share in [0, 1]. @default 0 */
  readonly jitter?: number;
}

export async function replyServer(options: ReplyServerOptions = {}): Promise<ReplyServer> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(options)]);
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve(message as number));
    child.once("error", reject);
  });
  return {
    url: `http://127.0.0.1:${port}/v1`,
    latencies: async () => {
      const reply = await fetch(`http://127.0.0.1:${port}/latencies`);
      return (await reply.json()) as readonly number[];
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        child.once("exit", () => resolve());
        child.kill();
      }),
  };
}

const asJson = JSON.stringify({ label: "answerable", answer: "It is 330 metres tall." });
const asLines = "Label: answerable\nAnswer: It is 330 metres tall.";

function serve({ latencyMs = 0, jitter = 0 }: ReplyServerOptions): void {
  const latencies: number[] = [];
  const server = createServer((request, response) => {
    const arrived = performance.now();
    const index = request.url === "/latencies" ? -1 : latencies.push(0) - 1;
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      if (index < 0) {
        response.end(JSON.stringify(latencies));
        return;
      }
      const reply = completion(body.includes('"json_schema"') ? asJson : asLines);
      // A fixed pattern instead of a random generator, so that every run has the same latencies.
      const wave = ((index * 7919) % 1000) / 500 - 1;
      setTimeout(
        () => {
          response.end(reply);
          latencies[index] = performance.now() - arrived;
        },
        latencyMs * (1 + jitter * wave),
      );
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

function completion(content: string): string {
  return JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model: "bench",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 250, completion_tokens: 20, total_tokens: 270 },
  });
}

if (process.send !== undefined && process.argv[2] !== undefined) {
  serve(JSON.parse(process.argv[2]) as ReplyServerOptions);
}
