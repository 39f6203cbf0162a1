import { serveRehearsal } from "@espalier/rehearsal";
import { forward } from "./forward.ts";
import type { Answer, VllmServer } from "./vllm-server.ts";
import { chatPath, vllmServer } from "./vllm-server.ts";

const paths = [chatPath, "/v1/embeddings", "/v1/rerank", "/v1/score", "/tokenize"];

/**
 * A vLLM server that keeps what it receives and passes for a real model by its name: the rehearsal
 * models answer behind it.
 *
 * @param options.latencyMs shortest time that an answer takes
 * @param options.before awaited before each answer
 */
export async function modelServer(
  model: string,
  {
    latencyMs = 0,
    before = async () => {},
  }: { readonly latencyMs?: number; readonly before?: () => Promise<unknown> } = {},
): Promise<VllmServer> {
  const behind = await serveRehearsal({ model, latencyMs });
  const server = await vllmServer({ model });
  const byRehearsal: Answer = async ({ method, path, body }, response) => {
    await before();
    const sent = { method, body: JSON.stringify(body) };
    const answer = await forward(`${behind.url}${path}`, sent);
    response.writeHead(answer.statusCode ?? 500, {
      "content-type": answer.headers["content-type"] ?? "application/json",
    });
    answer.pipe(response);
  };
  for (const path of paths) server.always(path, byRehearsal);
  return {
    ...server,
    get maxInFlight() {
      return server.maxInFlight;
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await behind.stop();
    },
  };
}
