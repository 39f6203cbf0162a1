import type { LanguageModel } from "../../contract/index.ts";
import { LmError } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import { sha256 } from "../../internal/index.ts";
import type { CallLimit } from "./call-limit.ts";
import type { ErrorCode } from "../../errors/index.ts";

export interface Replica {
  /** Unique among replicas: places prefixes and appears in errors. */
  readonly name: string;
  readonly lm: LanguageModel;
  /** Whether the server may receive calls; rejects or returns `false` if not. */
  readonly isHealthy: () => Promise<boolean>;
  /**
   * Requests that wait in the server's own queue; `null` if it does not tell, and then it is not
   * asked again. Absent: never tells.
   */
  readonly waiting?: (signal: AbortSignal) => Promise<number | null>;
}

/** Something that happened to one of several servers. */
export interface ReplicaChange {
  readonly name: string;
  /**
   * `refused`: it is on the list and cannot be used, which is told once for each reason; `leaving`:
   * it gets no new calls, `left`: its last call has ended.
   */
  readonly what: "joined" | "refused" | "leaving" | "left";
  /** Why it is refused. */
  readonly fault?: unknown;
}

export interface Member extends Replica {
  /** Calls in flight, shadows included. */
  inFlight: number;
  /** Calls in flight that count towards its limit. */
  held: number;
  isLeaving: boolean;
  tellsQueue: boolean;
  readonly health: ReplicaHealth;
  readonly limit: CallLimit;
}

/** A server that failed a call: gone out, to be tried once more when it is back, or done with. */
export type Tried = "out" | "done";

/** The servers that there are just now, and which of them a call should go to. */
export interface ServerPool {
  readonly members: readonly Member[];
  /** Lets servers join and leave; those that leave keep their calls in flight. */
  become(names: readonly string[], replicaOf: (name: string) => Replica): void;
  /** Starts health checks that are due, and takes out servers that have drained. */
  tidy(): void;
  /**
   * Servers that may get a call, the home of its prefix first, without those done: those that are
   * up; if none is and nothing was tried, or the call is dark, all. None where all have failed it.
   */
  candidates(call: {
    readonly prefix: string;
    readonly tried: ReadonlyMap<Member, Tried>;
    readonly isDark: boolean;
  }): readonly Member[];
  /** Whether the first candidate has room within its limit and its share. */
  takesAtHome(candidates: readonly Member[]): boolean;
  /** The candidate that should get a call now, if any has room. */
  choice(candidates: readonly Member[], isLimited: boolean): Member | undefined;
}

export interface PoolOptions {
  readonly spillFactor: number;
  readonly spillFloor: number;
  readonly firstPauseMs: number;
  readonly newLimit: () => CallLimit;
  readonly onChange: (change: ReplicaChange) => void;
  /** Called when a server can take calls again. */
  readonly onRoom: () => void;
  readonly clock: Clock;
}

export function serverPool(
  given: readonly Replica[],
  { spillFactor, spillFloor, firstPauseMs, newLimit, onChange, onRoom, clock }: PoolOptions,
): ServerPool {
  const memberOf = (replica: Replica, isNew: boolean): Member => {
    const { name, isHealthy } = replica;
    const limit = newLimit();
    let lastRefusal: string | undefined;
    const onCheck = (isUp: boolean, fault?: unknown): void => {
      if (isUp) {
        if (isNew) onChange({ name, what: "joined" });
        else limit.restart();
        isNew = false;
        onRoom();
      } else if (isNew && !member.isLeaving) {
        const reason = LmError.isInstance(fault) ? fault.code : "unhealthy";
        if (reason !== lastRefusal) onChange({ name, what: "refused", fault });
        lastRefusal = reason;
      }
    };
    const member: Member = {
      ...replica,
      inFlight: 0,
      held: 0,
      isLeaving: false,
      tellsQueue: replica.waiting !== undefined,
      health: replicaHealth({ isHealthy, firstPauseMs, isNew, onCheck, clock }),
      limit,
    };
    return member;
  };
  let members = given.map((replica) => memberOf(replica, false));
  let orders = new Map<string, readonly Member[]>();

  /** Rendezvous hashing: who leaves or joins moves only its own prefixes. */
  const ordered = (prefix: string): readonly Member[] => {
    const known = orders.get(prefix);
    if (known !== undefined) return known;
    const order = members
      .map((member) => ({ member, weight: sha256(`${member.name}\n${prefix}`) }))
      .toSorted((left, right) => (left.weight < right.weight ? 1 : -1))
      .map(({ member }) => member);
    if (orders.size >= maxOrders) orders.clear();
    orders.set(prefix, order);
    return order;
  };
  const hasSuccessor = (): boolean =>
    members.some(({ isLeaving, health }) => !isLeaving && health.isAdmitted);

  /** A slow home spills early: elsewhere the answer is there sooner. */
  const isWithinShare = (candidates: readonly Member[]): boolean => {
    const [home] = candidates;
    if (home === undefined) return false;
    const paceOf = pacesAmong(candidates);
    const speeds = candidates.map((member) => 1 / paceOf(member));
    const speed = 1 / paceOf(home);
    const total = candidates.reduce((sum, { inFlight }) => sum + inFlight, 1);
    const share = (total * speed) / speeds.reduce((sum, each) => sum + each, 0);
    const floor = (spillFloor * speed) / Math.max(...speeds);
    return home.inFlight < Math.ceil(Math.max(floor, spillFactor * share));
  };

  return {
    get members() {
      return members;
    },
    become: (names, replicaOf) => {
      for (const member of members) {
        const { name, health } = member;
        const isLeaving = !names.includes(name);
        if (isLeaving && !member.isLeaving && health.isAdmitted) {
          onChange({ name, what: "leaving" });
        }
        member.isLeaving = isLeaving;
      }
      const known = new Set(members.map(({ name }) => name));
      const joining = names.filter((name) => !known.has(name));
      members = [...members, ...joining.map((name) => memberOf(replicaOf(name), true))];
      orders = new Map();
    },
    tidy: () => {
      for (const { health } of members) health.isUp();
      // The last ones stay until somebody can take over.
      const isGone = ({ isLeaving, inFlight, health }: Member): boolean =>
        isLeaving && inFlight === 0 && (!health.isAdmitted || hasSuccessor());
      const gone = members.filter(isGone);
      if (gone.length === 0) return;
      members = members.filter((member) => !gone.includes(member));
      orders = new Map();
      for (const { name, health } of gone) {
        if (health.isAdmitted) onChange({ name, what: "left" });
      }
    },
    candidates: ({ prefix, tried, isDark }) => {
      const admitted = ordered(prefix).filter(({ health }) => health.isAdmitted);
      const staying = hasSuccessor() ? admitted.filter(({ isLeaving }) => !isLeaving) : admitted;
      const up = staying.filter(({ health }) => health.isUp());
      const all = isDark || (up.length === 0 && tried.size === 0) ? staying : up;
      if (all.every((member) => tried.has(member))) return [];
      return all.filter((member) => tried.get(member) !== "done");
    },
    takesAtHome: (candidates) => hasRoom(candidates[0]) && isWithinShare(candidates),
    choice: (candidates, isLimited) => {
      const [home] = candidates;
      const isOpen = (member: Member): boolean => !isLimited || hasRoom(member);
      if (home !== undefined && isOpen(home) && isWithinShare(candidates)) return home;
      // The soonest answer; among equals, the server that the prefix would move to.
      const paceOf = pacesAmong(candidates);
      const waitAt = (member: Member): number => (member.inFlight + 1) * paceOf(member);
      return candidates
        .filter(isOpen)
        .toSorted((left, right) => waitAt(left) - waitAt(right))
        .at(0);
    },
  };
}

function hasRoom(member: Member | undefined): boolean {
  return member !== undefined && member.held < member.limit.maxCalls;
}

/** The pace of a server that has answered nothing is that of the others. */
function pacesAmong(members: readonly Member[]): (member: Member) => number {
  const known = members.flatMap(({ limit }) => limit.pace ?? []);
  const usual = known.reduce((sum, pace) => sum + pace, 0) / known.length || 1;
  return ({ limit }) => limit.pace ?? usual;
}

/** Prefixes whose order of servers is remembered. */
const maxOrders = 4_096;

/** Whether one replica should receive calls. */
interface ReplicaHealth {
  /** Whether it ever was up. */
  readonly isAdmitted: boolean;
  /** Also starts a health check in the background if one is due. */
  isUp(): boolean;
  succeeded(): void;
  failed(code: ErrorCode): void;
}

/**
 * Takes a replica out at once when it is unreachable or stalls, and after three other failures in a
 * row; a request to slow down keeps it in. Uses no timers: the next call notices that a pause is
 * over and does not wait for the check.
 *
 * @param isNew whether a check must succeed before the first call
 * @param onCheck called after every check; with the fault where there was one
 */
function replicaHealth({
  isHealthy,
  firstPauseMs,
  isNew = false,
  onCheck = () => {},
  clock,
}: {
  readonly isHealthy: () => Promise<boolean>;
  readonly firstPauseMs: number;
  readonly isNew?: boolean;
  readonly onCheck?: (isHealthy: boolean, fault?: unknown) => void;
  readonly clock: Clock;
}): ReplicaHealth {
  let failures = 0;
  let outUntilMs = isNew ? clock.now() : null;
  let isAdmitted = !isNew;
  let pauseMs = firstPauseMs;
  let isChecking = false;

  const leaveOut = (): void => {
    outUntilMs = clock.now() + pauseMs;
    pauseMs = Math.min(maxPauseMs, 2 * pauseMs);
  };
  const readmit = (): void => {
    failures = 0;
    outUntilMs = null;
    pauseMs = firstPauseMs;
  };
  const check = async (): Promise<void> => {
    isChecking = true;
    let fault: unknown;
    const answer = await isHealthy().catch((error: unknown) => {
      fault = error;
      return false;
    });
    isChecking = false;
    // A successful check does not explain why calls failed: the next failure takes the replica out
    // for longer.
    if (answer) [outUntilMs, failures, isAdmitted] = [null, maxFailures - 1, true];
    else leaveOut();
    onCheck(answer, fault);
  };

  return {
    get isAdmitted() {
      return isAdmitted;
    },
    isUp: () => {
      if (outUntilMs === null) return true;
      if (!isChecking && clock.now() >= outUntilMs) void check();
      return false;
    },
    succeeded: readmit,
    failed: (code) => {
      if (code === "lm-rate-limited") return;
      failures += code === "lm-unreachable" || code === "lm-stalled" ? maxFailures : 1;
      // Calls that were in flight when the replica went out fail after it and add no information.
      if (failures >= maxFailures && outUntilMs === null) leaveOut();
    },
  };
}

const maxFailures = 3;
const maxPauseMs = 60_000;
