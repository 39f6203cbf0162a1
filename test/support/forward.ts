import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:http";

/**
 * Sends JSON to another server, on a connection of its own: one that was kept open may be closed
 * just when it is used again, and a busy machine makes that likely.
 */
export async function forward(
  url: string,
  { method, body }: { readonly method: string; readonly body: string },
): Promise<IncomingMessage> {
  const sent = request(url, {
    method,
    agent: false,
    ...(method === "POST" && { headers: { "content-type": "application/json" } }),
  });
  sent.end(method === "POST" ? body : undefined);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return answer;
}
