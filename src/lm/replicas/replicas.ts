import type { LanguageModel, LmCallOptions, LmReply, LmRequest } from "../../contract/index.ts";
import { LmError } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import {
  checkAtLeast,
  checkCount,
  checkMilliseconds,
  contentHash,
  systemClock,
} from "../../internal/index.ts";
import { trackShown } from "../wrappers/track-shown.ts";
import { callLimit, noLimit } from "./call-limit.ts";
import { places } from "./places.ts";
import type { Member, Replica, ReplicaChange, Tried } from "./server-pool.ts";
import { serverPool } from "./server-pool.ts";

export interface ReplicaOptions {
  /**
   * Calls in flight that a prefix's replica may have beyond its fair share before other replicas
   * take over, as a factor of at least 1. @default 1.25
   */
  readonly spillFactor?: number;
  /** Calls in flight up to which nothing spills over, whatever the shares. @default 8 */
  readonly spillFloor?: number;
  /**
   * First pause before a failed replica is checked again; doubles up to a minute.
   * @default 1_000
   */
  readonly firstPauseMs?: number;
  /**
   * Whether each server's limit of calls in flight is found from how it answers, between 1 and
   * `maxPerServer`; calls beyond all limits wait. Shadows have no such limit. @default true
   */
  readonly isAdaptive?: boolean;
  /** Upper bound of each server's limit. @default 1_024 */
  readonly maxPerServer?: number;
  /**
   * How often servers are asked for their queues, and the list of servers is read, while there are
   * calls. @default 500
   */
  readonly checkEveryMs?: number;
  /** Called when a server joins, is refused, or leaves. */
  readonly onChange?: (change: ReplicaChange) => void;
  readonly clock?: Clock;
}

/** The current servers, for a set that changes while calls are made. */
export interface Membership {
  /** Their names; a rejection, or none, changes nothing. */
  readonly names: () => Promise<readonly string[]>;
  readonly replicaOf: (name: string) => Replica;
}

/**
 * One language model over several servers that serve the same model. Requests with the same
 * beginning go to the same server, whose prefix cache then holds it: rendezvous hashing (Thaler and
 * Ravishankar, 1998) on the prefix, so that a server that leaves or returns moves only its own
 * prefixes. Calls beyond a server's bound (as in consistent hashing with bounded loads, Mirrokni et
 * al., 2018; shares go by the servers' speeds) go to the server that should answer soonest, and
 * calls beyond the limits that all servers were found to have (see `callLimit`) wait.
 *
 * When a call fails on one server, the next one is tried at once, or, while the others have no
 * room, the same one again once it is back; the call fails only if all servers fail, and a wrapper
 * outside counts one call. A server that is unreachable, stalls, or fails three times in a row is
 * left out until a health check succeeds; when all are out, all are tried. A server that joins gets
 * calls once a check has succeeded; one that leaves gets no new ones. The identity is that of the
 * first replica: URLs are not part of it.
 */
export function replicas(
  given: readonly [Replica, ...Replica[]],
  options: ReplicaOptions = {},
  membership?: Membership,
): LanguageModel {
  const {
    spillFactor = 1.25,
    spillFloor = 8,
    firstPauseMs = 1_000,
    isAdaptive = true,
    maxPerServer = 1_024,
    checkEveryMs = 500,
    onChange = () => {},
    clock = systemClock,
  } = options;
  checkAtLeast("spillFactor", spillFactor, 1);
  checkCount("spillFloor", spillFloor);
  checkMilliseconds("firstPauseMs", firstPauseMs);
  checkCount("maxPerServer", maxPerServer);
  checkMilliseconds("checkEveryMs", checkEveryMs, { least: 1 });
  const pool = serverPool(given, {
    spillFactor,
    spillFloor,
    firstPauseMs,
    // As many as may go to one server before any spills over.
    newLimit: () => (isAdaptive ? callLimit({ first: spillFloor, most: maxPerServer }) : noLimit()),
    onChange,
    onRoom: () => seats.serve(),
    clock,
  });
  const seats = places(pool);

  const askQueue = async (member: Member, signal: AbortSignal): Promise<void> => {
    if (!isAdaptive || !member.tellsQueue || member.inFlight === 0) return;
    try {
      const waiting = (await member.waiting?.(signal)) ?? null;
      if (waiting === null) member.tellsQueue = false;
      else member.limit.queueSeen(waiting, clock.now());
    } catch {
      // Whether the server is there shows in its calls.
    }
  };
  const readList = async (): Promise<void> => {
    if (membership === undefined) return;
    const names = await membership.names().catch(() => []);
    if (names.length > 0) pool.become(names, membership.replicaOf);
  };
  const watch = whileBusy(
    async (signal) => {
      await readList();
      pool.tidy();
      await Promise.all(pool.members.map((member) => askQueue(member, signal)));
      seats.serve();
    },
    { everyMs: checkEveryMs, clock },
  );

  const ask = async (
    member: Member,
    request: LmRequest,
    callOptions: LmCallOptions,
  ): Promise<LmReply> => {
    const { limit, health } = member;
    const startedMs = clock.now();
    try {
      const reply = await member.lm.doGenerate(request, callOptions);
      health.succeeded();
      const isFull = member.held >= limit.maxCalls;
      limit.answered({ startedMs, endedMs: clock.now(), work: workOf(reply), isFull });
      return reply;
    } catch (error) {
      if (LmError.isInstance(error) && error.kind === "infrastructure") {
        health.failed(error.code);
        if (overloads.has(error.code)) limit.refused(startedMs, clock.now());
      }
      throw error;
    }
  };

  async function doGenerate(request: LmRequest, options: LmCallOptions = {}): Promise<LmReply> {
    const { signal, onRetry, onWaiting, role } = options;
    const shown = trackShown(options);
    const isLimited = role !== "shadow";
    const tried = new Map<Member, Tried>();
    const isDark = !pool.members.some(({ health }) => health.isUp());
    const place = { prefix: prefixId(request), tried, isDark, isLimited, signal, onWaiting };
    let fault: unknown;
    watch.enter();
    try {
      for (;;) {
        const member = await seats.take(place);
        if (member === undefined) throw fault;
        try {
          signal?.throwIfAborted();
          shown.restart();
          if (LmError.isInstance(fault)) await onRetry?.(fault);
          return await ask(member, request, shown.options);
        } catch (error) {
          if (!LmError.isInstance(error) || error.kind !== "infrastructure") throw error;
          fault = error;
          const mayReturn = !isDark && !tried.has(member) && !member.health.isUp();
          tried.set(member, mayReturn ? "out" : "done");
          if (shown.isFinal()) throw error;
        } finally {
          seats.free(member, isLimited);
          pool.tidy();
        }
      }
    } finally {
      watch.leave();
    }
  }

  return { identity: given[0].lm.identity, doGenerate };
}

const overloads = new Set(["lm-rate-limited", "lm-unavailable"]);

/** What a reply costs a server, roughly, in tokens that it decodes: prompts are read far faster. */
function workOf({ usage }: LmReply): number {
  return 8 + (usage.completionTokens ?? 0) + (usage.promptTokens ?? 0) / 20;
}

/** Knows how many calls there are. */
interface WhileBusy {
  enter(): void;
  leave(): void;
}

/**
 * Repeats work while there are calls, and only then: an idle connection keeps no timer, and so no
 * process alive. Work must not reject; its signal fires with the end of the last call.
 */
function whileBusy(
  work: (signal: AbortSignal) => Promise<void>,
  { everyMs, clock }: { readonly everyMs: number; readonly clock: Clock },
): WhileBusy {
  let calls = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  let busy = new AbortController();

  const repeat = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const dueMs = lastMs + everyMs - clock.now();
      if (dueMs > 0) await clock.sleep(dueMs, signal).catch(() => {});
      if (signal.aborted) return;
      lastMs = clock.now();
      await work(signal);
    }
  };
  return {
    enter: () => {
      if (calls++ > 0) return;
      busy = new AbortController();
      void repeat(busy.signal);
    },
    leave: () => {
      if (--calls === 0) busy.abort();
    },
  };
}

/**
 * The shared part of all requests of one predictor of one candidate: the system message, or the
 * first message without one. Corrections keep it, and so do other demonstrations, since they come
 * after it.
 */
function prefixId({ messages: [first] }: LmRequest): string {
  return contentHash([first?.role ?? "", first?.content ?? ""]);
}
