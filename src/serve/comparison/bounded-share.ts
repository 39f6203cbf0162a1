/** Holds back what one API key contributes beyond its share. */
export interface BoundedShare<TItem> {
  /** How many are held back now. */
  readonly waiting: number;
  /** @returns what counts from now on, each key's in the order in which they came */
  add(apiKey: string, item: TItem): readonly TItem[];
}

/**
 * Of what counts, one key's part is at most `share`; the rest waits until the others have
 * contributed more. Which ones count depends on how many there are and not on what they say, or it
 * could be chosen by the outcome. Of each key 10,000 wait at most, and what comes beyond that never
 * counts: a client makes up as many users as it likes.
 *
 * @param share in [0.5, 1]: of two keys each must be able to have its half; 1 bounds nothing
 */
export function boundedShare<TItem>(share: number): BoundedShare<TItem> {
  const queues = new Map<string, Queue<TItem>>();
  const held = new Map<string, Queue<TItem>>();
  let arrived = 0;
  let waiting = 0;
  const mostOf = (queue: Queue<TItem>): number =>
    // A little more than the quotient, which is rounded, so that 3 of 4 are 3 and not 2.
    Math.floor((share / (1 - share)) * (arrived - queue.arrived) + 1e-9);
  return {
    get waiting() {
      return waiting;
    },
    add: (apiKey, item) => {
      if (share === 1) return [item];
      const queue = queues.get(apiKey) ?? { items: [], arrived: 0 };
      if (queue.items.length >= mostWaiting) return [];
      queues.set(apiKey, queue);
      held.set(apiKey, queue);
      queue.items.push(item);
      queue.arrived += 1;
      arrived += 1;
      waiting += 1;
      const free: TItem[] = [];
      for (const [heldKey, each] of held) {
        const { items } = each;
        const more = mostOf(each) - (each.arrived - items.length);
        if (more <= 0) continue;
        free.push(...items.splice(0, more));
        if (items.length === 0) held.delete(heldKey);
      }
      waiting -= free.length;
      return free;
    },
  };
}

/** Of one API key: a bound on memory. */
const mostWaiting = 10_000;

interface Queue<TItem> {
  readonly items: TItem[];
  arrived: number;
}
