/** Holds back what one API key contributes beyond its share. */
export interface BoundedShare<TItem> {
  /** Number of items held back now. */
  readonly waiting: number;
  /** @returns the items that count from now on, each key's in order of arrival */
  add(apiKey: string, item: TItem): readonly TItem[];
}

/**
 * One key contributes at most `share` of the items that count; its other items wait until other
 * keys contribute more. The choice depends only on how many items there are, not on their content;
 * otherwise outcomes could influence it. At most 10,000 items of a key wait, and items beyond that
 * never count, because a client can invent any number of users.
 *
 * @param share in [0.5, 1]: each of two keys must be able to have its half; 1 sets no bound
 */
export function boundedShare<TItem>(share: number): BoundedShare<TItem> {
  const queues = new Map<string, Queue<TItem>>();
  const held = new Map<string, Queue<TItem>>();
  let arrived = 0;
  let waiting = 0;
  const maxFreed = (queue: Queue<TItem>): number =>
    // The epsilon offsets the rounding of the quotient: 3 of 4 must give 3, not 2.
    Math.floor((share / (1 - share)) * (arrived - queue.arrived) + 1e-9);
  return {
    get waiting() {
      return waiting;
    },
    add: (apiKey, item) => {
      if (share === 1) return [item];
      const queue = queues.get(apiKey) ?? { items: [], arrived: 0 };
      if (queue.items.length >= maxWaiting) return [];
      queues.set(apiKey, queue);
      held.set(apiKey, queue);
      queue.items.push(item);
      queue.arrived += 1;
      arrived += 1;
      waiting += 1;
      const free: TItem[] = [];
      for (const [heldKey, each] of held) {
        const { items } = each;
        const more = maxFreed(each) - (each.arrived - items.length);
        if (more <= 0) continue;
        free.push(...items.splice(0, more));
        if (items.length === 0) held.delete(heldKey);
      }
      waiting -= free.length;
      return free;
    },
  };
}

/** Per API key: a bound on memory. */
const maxWaiting = 10_000;

interface Queue<TItem> {
  readonly items: TItem[];
  arrived: number;
}
