import type { Member, ServerPool, Tried } from "./server-pool.ts";

/** Deals out places at servers; calls that find no room wait, first come, first served. */
export interface Places {
  /**
   * A place at a server that is left to try; `undefined` if there is no such server. Rejects with
   * the signal's reason if it fires first.
   */
  take(request: PlaceRequest): Promise<Member | undefined>;
  /** Gives a place back. */
  free(member: Member, isLimited: boolean): void;
  /** Looks for waiting calls that a change of the servers lets go on. */
  serve(): void;
}

export interface PlaceRequest {
  readonly prefix: string;
  readonly tried: ReadonlyMap<Member, Tried>;
  /** Whether no server was up when the call began: then all are tried. */
  readonly isDark: boolean;
  /** Whether the server's limit applies, and the place counts towards it. */
  readonly isLimited: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onWaiting: ((isWaiting: boolean) => void) | undefined;
}

/**
 * A call at its prefix's home goes before those that would only spill to it, so that affinity lasts
 * under load, but overtakes each at most a fixed number of times.
 */
export function places(pool: ServerPool): Places {
  const waiting = new Set<Waiting>();

  const placed = (request: PlaceRequest, candidates = pool.candidates(request)): Answer => {
    if (candidates.length === 0) return { member: undefined };
    const member = pool.choice(candidates, request.isLimited);
    if (member === undefined) return undefined;
    member.inFlight += 1;
    if (request.isLimited) member.held += 1;
    return { member };
  };
  const serveOnce = (onlyHome: boolean): void => {
    // Few beginnings, many calls: what is the same for all calls of one is found once.
    const byPrefix = new Map<string, readonly Member[]>();
    const candidatesOf = (request: PlaceRequest): readonly Member[] => {
      const { prefix, tried, isDark } = request;
      if (tried.size > 0 || isDark) return pool.candidates(request);
      const found = byPrefix.get(prefix) ?? pool.candidates(request);
      byPrefix.set(prefix, found);
      return found;
    };
    const passed: Waiting[] = [];
    for (const each of waiting) {
      if (!hasRoom(pool)) break;
      const candidates = candidatesOf(each.request);
      const [home] = candidates;
      const isForHome = onlyHome && home !== undefined && each.overtaken < maxOvertaken;
      const answer =
        isForHome && !pool.takesAtHome(candidates) ? undefined : placed(each.request, candidates);
      if (answer === undefined) {
        passed.push(each);
        continue;
      }
      waiting.delete(each);
      each.settle(answer.member);
      for (const other of passed) other.overtaken += 1;
    }
  };
  const serve = (): void => {
    if (waiting.size === 0) return;
    serveOnce(true);
    serveOnce(false);
  };

  return {
    serve,
    free: (member, isLimited) => {
      member.inFlight -= 1;
      if (isLimited) member.held -= 1;
      serve();
    },
    take: async (request) => {
      const { signal, onWaiting } = request;
      signal?.throwIfAborted();
      // Who comes later does not overtake those who wait, unless no limit applies to it.
      const answer = waiting.size > 0 && request.isLimited ? undefined : placed(request);
      if (answer !== undefined) return answer.member;
      const { promise, resolve, reject } = Promise.withResolvers<Member | undefined>();
      const entry: Waiting = { request, overtaken: 0, settle: resolve };
      const leave = (): void => {
        waiting.delete(entry);
        reject(signal?.reason);
      };
      waiting.add(entry);
      signal?.addEventListener("abort", leave, { once: true });
      onWaiting?.(true);
      serve();
      try {
        return await promise;
      } finally {
        signal?.removeEventListener("abort", leave);
        onWaiting?.(false);
      }
    },
  };
}

type Answer = { readonly member: Member | undefined } | undefined;

interface Waiting {
  readonly request: PlaceRequest;
  overtaken: number;
  readonly settle: (member: Member | undefined) => void;
}

const maxOvertaken = 64;

/** Whether any server has room; with none up, waiting calls may have to be sent away. */
function hasRoom({ members }: ServerPool): boolean {
  return members.some(
    ({ held, limit, health }) => held < limit.maxCalls || !health.isAdmitted || !health.isUp(),
  );
}
