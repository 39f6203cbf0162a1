import type { LanguageModel, LmCallOptions, LmReply, LmRequest } from "../../contract/index.ts";
import { LmError } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import {
  checkAtLeast,
  checkCount,
  checkMilliseconds,
  sha256,
  systemClock,
} from "../../internal/index.ts";
import { prefixId } from "../wrappers/prefix-id.ts";
import { trackShown } from "../wrappers/track-shown.ts";
import type { ReplicaHealth } from "./replica-health.ts";
import { replicaHealth } from "./replica-health.ts";

export interface Replica {
  /** Unique among replicas: places prefixes and appears in errors. */
  readonly name: string;
  readonly lm: LanguageModel;
  /** Whether the server may receive calls again; rejects or returns `false` if not. */
  readonly isHealthy: () => Promise<boolean>;
}

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
  readonly clock?: Clock;
}

/**
 * One language model over several servers that serve the same model. Requests with the same
 * beginning go to the same server, whose prefix cache then holds it: rendezvous hashing (Thaler and
 * Ravishankar, 1998) on the prefix, so that a server that leaves or returns moves only its own
 * prefixes. Calls beyond a server's bound (as in consistent hashing with bounded loads, Mirrokni et
 * al., 2018) go to the server with the fewest calls in flight.
 *
 * When a call fails on one server, the next one is tried at once; the call fails only if all
 * servers fail, and a wrapper outside counts one call. A server that is unreachable, stalls, or
 * fails three times in a row is left out until a health check succeeds; when all are out, all are
 * tried. The identity is that of the first replica: URLs are not part of it.
 */
export function replicas(
  given: readonly [Replica, ...Replica[]],
  {
    spillFactor = 1.25,
    spillFloor = 8,
    firstPauseMs = 1_000,
    clock = systemClock,
  }: ReplicaOptions = {},
): LanguageModel {
  checkAtLeast("spillFactor", spillFactor, 1);
  checkCount("spillFloor", spillFloor);
  checkMilliseconds("firstPauseMs", firstPauseMs);
  const members = given.map((replica): Member => ({
    ...replica,
    inFlight: 0,
    health: replicaHealth({ isHealthy: replica.isHealthy, firstPauseMs, clock }),
  }));

  /** The order in which a call with this prefix tries the replicas. */
  const ranked = (prefix: string): readonly Member[] => {
    const byHash = members
      .map((member) => ({ member, weight: sha256(`${member.name}\n${prefix}`) }))
      .toSorted((left, right) => (left.weight < right.weight ? 1 : -1))
      .map(({ member }) => member);
    const up = byHash.filter(({ health }) => health.isUp());
    const [home] = up;
    if (home === undefined) return byHash;
    const total = up.reduce((sum, { inFlight }) => sum + inFlight, 1);
    const bound = Math.max(spillFloor, Math.ceil((spillFactor * total) / up.length));
    if (home.inFlight < bound) return up;
    // A stable sort: among equals, the replica that the prefix would move to.
    return up.toSorted((left, right) => left.inFlight - right.inFlight);
  };

  async function doGenerate(request: LmRequest, options: LmCallOptions = {}): Promise<LmReply> {
    const { signal, onRetry } = options;
    const shown = trackShown(options);
    let fault: unknown;
    for (const member of ranked(prefixId(request))) {
      signal?.throwIfAborted();
      shown.restart();
      if (fault !== undefined) onRetry?.();
      member.inFlight += 1;
      try {
        const reply = await member.lm.doGenerate(request, shown.options);
        member.health.succeeded();
        return reply;
      } catch (error) {
        if (!LmError.isInstance(error) || error.kind !== "infrastructure") throw error;
        member.health.failed(error.code);
        fault = error;
        if (shown.isFinal()) throw error;
      } finally {
        member.inFlight -= 1;
      }
    }
    throw fault;
  }

  return { identity: given[0].lm.identity, doGenerate };
}

interface Member extends Replica {
  inFlight: number;
  readonly health: ReplicaHealth;
}
