import { LmError } from "../../errors/index.ts";
import { countersIn } from "./metrics-text.ts";
import type { ServerOptions } from "./server-connection.ts";
import { serverConnection } from "./server-connection.ts";

/**
 * Asks how many requests wait in a server's own queue, as vLLM's `/metrics` tells; those of its
 * other clients count as well. `null` if the server does not tell.
 *
 * @throws LmError where the server does not answer
 */
export function waitingRequests(
  server: ServerOptions,
): (signal?: AbortSignal) => Promise<number | null> {
  const connection = serverConnection({ ...server, stallTimeoutMs: 5_000 });
  const url = `${server.baseUrl.replace(/\/v1\/?$/, "")}/metrics`;
  return async (signal) => {
    try {
      const text = await connection.text(url, { signal });
      return countersIn(text).get("num_requests_waiting") ?? null;
    } catch (error) {
      if (LmError.isInstance(error) && !error.isRetryable) return null;
      throw error;
    }
  };
}
