import { messageOf } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import type { FoundItem } from "../finding/find-sources.ts";
import type { ReadGiven } from "../thread/source-work.ts";

/** What is read of files, once for each state of them. */
export interface LatestFigures<TFound> {
  /** Waits no longer than until then, and has by then what was known before. */
  of(item: FoundItem, given: FiguresGiven): Promise<Figures<TFound>>;
}

export interface FiguresGiven {
  /** Changes with the files. */
  readonly stamp: string;
  /** On the clock, in milliseconds. */
  readonly until: number;
  /** Whether its files change all the time. @default false */
  readonly isGrowing?: boolean;
}

export interface Figures<TFound> {
  /** Absent where nothing is known yet. */
  readonly found?: TFound;
  /** Why there are none. */
  readonly problem?: string;
  /** Whether newer ones are being read. */
  readonly isBehind: boolean;
}

/** A source that grows is read again after this many times as long as that took. */
const idleShare = 10;

export function latestFigures<TFound>(
  work: (given: ReadGiven) => Promise<TFound>,
  clock: Clock,
): LatestFigures<TFound> {
  const known = new Map<string, Known<TFound>>();
  const reading = new Map<string, Promise<Known<TFound>>>();

  const read = (
    { id, path }: FoundItem,
    stamp: string,
    isGrowing: boolean,
  ): Promise<Known<TFound>> => {
    const name = JSON.stringify(isGrowing ? [id] : [id, stamp]);
    const begun = reading.get(name);
    if (begun !== undefined) return begun;
    const begunAt = clock.now();
    const figures = work({ path, stamp })
      .then(
        (found) => ({ found }),
        (error: unknown) => ({ problem: messageOf(error) }),
      )
      .then((value): Known<TFound> => {
        const tookMs = clock.now() - begunAt;
        const one = { stamp, value, againAt: clock.now() + idleShare * tookMs };
        known.set(id, one);
        reading.delete(name);
        return one;
      });
    reading.set(name, figures);
    return figures;
  };
  const within = async (
    figures: Promise<Known<TFound>>,
    leftMs: number,
  ): Promise<Known<TFound> | undefined> => {
    const over = new AbortController();
    const late = clock.sleep(leftMs, over.signal).catch(() => undefined);
    const first = await Promise.race([figures, late]);
    over.abort();
    return first ?? undefined;
  };
  return {
    of: async (item, { stamp, until, isGrowing = false }) => {
      const held = known.get(item.id);
      const isHeld = held?.stamp === stamp || (isGrowing && clock.now() < (held?.againAt ?? 0));
      if (held !== undefined && isHeld) return { ...held.value, isBehind: false };
      const leftMs = until - clock.now();
      const newest = leftMs > 0 ? await within(read(item, stamp, isGrowing), leftMs) : undefined;
      return { ...(newest ?? held)?.value, isBehind: newest === undefined };
    },
  };
}

interface Known<TFound> {
  readonly stamp: string;
  readonly value: { readonly found: TFound } | { readonly problem: string };
  readonly againAt: number;
}
