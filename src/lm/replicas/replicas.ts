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
  /** Unlike the others': places prefixes, and stands in errors. */
  readonly name: string;
  readonly lm: LanguageModel;
  /** Whether the server may be given work again; rejects or says `false` where not. */
  readonly isHealthy: () => Promise<boolean>;
}

export interface ReplicaOptions {
  /**
   * Calls that the replica of a prefix may have in flight beyond its fair share before others take
   * over, as a factor of at least 1. @default 1.25
   */
  readonly spillFactor?: number;
  /** Calls in flight up to which nothing is spilled, whatever the shares. @default 8 */
  readonly spillFloor?: number;
  /**
   * First pause before a failed replica is looked at again; doubles up to a minute.
   * @default 1_000
   */
  readonly firstPauseMs?: number;
  readonly clock?: Clock;
}

/**
 * One language model over several servers that serve the same model. Requests with the same
 * beginning go to the same server, whose prefix cache then holds it: rendezvous hashing (Thaler and
 * Ravishankar,
 * 1998) on the prefix, so that a server that leaves or comes back moves its own prefixes only. What
 * exceeds its bound (as in consistent hashing with bounded loads, Mirrokni et al., 2018) goes to
 * the server with the fewest calls in flight.
 *
 * A call that one server fails is asked of the next at once, and only a failure of all is a failure
 * of the call: whoever counts calls from outside counts one. A server that cannot be reached,
 * stalls, or fails three times in a row is left out until a health check succeeds; when all are
 * out, all are tried. Identity is that of the first: URLs are no part of it.
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

  /** In the order in which a call of this prefix is to try them. */
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
    // A stable sort: among equals, the one that the prefix would move to.
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
