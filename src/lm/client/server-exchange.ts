import type { EspalierError } from "../../errors/index.ts";
import { BodyTooLarge, orAborted } from "../../internal/index.ts";
import { eventStream } from "./event-stream.ts";
import type { FaultContext } from "./fault-context.ts";
import { serverFault } from "./server-fault.ts";
import type { ServerReply } from "./server-reply.ts";
import { stallGuard } from "./stall-guard.ts";
import { notStreamed } from "./unreadable-body.ts";

export interface ExchangeOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Wraps each request, whatever sends it: handles aborts, silence, limits and faults. */
export interface ServerExchange {
  text(path: string, send: Send, options?: ExchangeOptions): Promise<string>;
  events(path: string, send: Send, options?: ExchangeOptions): AsyncGenerator<readonly unknown[]>;
  /** What an error found in a reply amounts to. */
  fault(error: unknown, path: string): Promise<EspalierError>;
}

type Send = (signal: AbortSignal) => Promise<ServerReply>;

export function serverExchange({
  maxReplyBytes,
  ...context
}: Omit<FaultContext, "path" | "isStalled"> & { readonly maxReplyBytes: number }): ServerExchange {
  const { stallTimeoutMs, origin } = context;
  return {
    fault: (error, path) => serverFault(error, { ...context, path, isStalled: false }),

    async text(path, send, { signal } = {}) {
      signal?.throwIfAborted();
      const guard = stallGuard(stallTimeoutMs, signal);
      try {
        return await orAborted(
          send(guard.signal).then((reply) => reply.text()),
          guard.signal,
        );
      } catch (error) {
        signal?.throwIfAborted();
        throw await serverFault(error, { ...context, path, isStalled: guard.isStalled });
      } finally {
        guard.stop();
      }
    },

    async *events(path, send, { signal } = {}) {
      signal?.throwIfAborted();
      const guard = stallGuard(stallTimeoutMs, signal);
      let isWhole = false;
      try {
        const reply = await orAborted(send(guard.signal), guard.signal);
        const body = reply.events();
        if (body === null) throw notStreamed(reply.headers(), await reply.text(), origin);
        let received = 0;
        // A comment, like an event, shows that the server is working.
        const onBytes = (count: number): void => {
          guard.touch();
          received += count;
          if (received > maxReplyBytes) throw new BodyTooLarge(maxReplyBytes);
        };
        yield* eventStream(body, onBytes);
        // An aborted stream ends without an error.
        guard.signal.throwIfAborted();
        isWhole = true;
      } catch (error) {
        signal?.throwIfAborted();
        throw await serverFault(error, { ...context, path, isStalled: guard.isStalled });
      } finally {
        if (isWhole) guard.stop();
        else guard.abandon();
      }
    },
  };
}
