import { EspalierError, failureOf } from "../../../../src/errors/index.ts";
import { mebibyte } from "../../../../src/internal/index.ts";
import type { Courier } from "./courier.ts";
import { courier } from "./courier.ts";

/** Things that wait to be sent, in a bounded space: what finds no room is lost, and counted. */
export interface SendQueue<TItem> extends Pick<Courier, "end"> {
  add(item: TItem, bytes: number): void;
  readonly waiting: number;
  readonly sent: number;
  readonly lost: number;
}

export interface QueueLimits {
  /** @default 5_000 */
  readonly items?: number;
  /** @default 32 MiB */
  readonly bytes?: number;
}

/** @param send sends these, in order; all or none of them */
export function sendQueue<TItem>(
  send: (items: readonly TItem[], signal: AbortSignal) => Promise<void>,
  { items: maxItems = 5_000, bytes: maxBytes = 32 * mebibyte }: QueueLimits = {},
): SendQueue<TItem> {
  let queue: { readonly item: TItem; readonly bytes: number }[] = [];
  let held = 0;
  let sent = 0;
  let lost = 0;
  let refusal: string | undefined;
  /** What is refused would be refused again. */
  const isSent = async (items: readonly TItem[], signal: AbortSignal): Promise<boolean> => {
    try {
      await send(items, signal);
      return true;
    } catch (error) {
      if (!EspalierError.isInstance(error) || error.code === "tracking-failed") throw error;
      refusal = failureOf(error).message;
      return false;
    }
  };
  const sender = courier({
    next: async (signal) => {
      const part = firstOf(queue);
      if (part.length === 0) return false;
      const isTaken = await isSent(
        part.map(({ item }) => item),
        signal,
      );
      queue = queue.slice(part.length);
      held -= part.reduce((sum, { bytes }) => sum + bytes, 0);
      if (isTaken) sent += part.length;
      else lost += part.length;
      return queue.length > 0;
    },
  });
  return {
    add: (item, bytes) => {
      if (queue.length >= maxItems || held + bytes > maxBytes) {
        lost++;
        return;
      }
      queue.push({ item, bytes });
      held += bytes;
      sender.wake();
    },
    get waiting() {
      return queue.length;
    },
    get sent() {
      return sent;
    },
    get lost() {
      return lost;
    },
    end: async (patienceMs) => {
      const delivery = await sender.end(patienceMs);
      lost += queue.length;
      queue = [];
      const problem = delivery.problem ?? refusal;
      return { isComplete: lost === 0, ...(problem !== undefined && { problem }) };
    },
  };
}

/** Bounds a request. */
const together = { items: 50, bytes: 4 * mebibyte } as const;

function firstOf<TItem extends { readonly bytes: number }>(queue: readonly TItem[]): TItem[] {
  let size = 0;
  const end = queue.findIndex(({ bytes }, index) => {
    size += bytes;
    return index >= together.items || (index > 0 && size > together.bytes);
  });
  return queue.slice(0, end === -1 ? undefined : end);
}
