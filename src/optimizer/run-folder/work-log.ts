import { existsSync } from "node:fs";
import type { Json, LmReply, LmRole } from "../../contract/index.ts";
import type { ReplyCache } from "../../lm/index.ts";
import type { LedgerCounts, LedgerEntry, LedgerSnapshot } from "../../ledger/index.ts";
import type { PriceTable } from "../budget/index.ts";
import { costOfRoles } from "../budget/index.ts";
import type { Rollout } from "../evaluation/rollout.ts";
import { callCosts } from "./call-costs.ts";
import type { DecisionLine, FailedReflection, WorkLine } from "./journal-lines.ts";
import { isDecision } from "./journal-lines.ts";
import { runAdvice } from "./run-folder.ts";
import type { JsonlFile } from "../../storage/index.ts";
import { eachWholeLine, memoryLines, wholeLines } from "../../storage/index.ts";

/**
 * The calls and rollouts of a run. A recorded reply or rollout is never requested again; calls
 * without a recorded end were in flight at a kill, and are charged. Steps are numbered by the
 * algorithm, so what belongs to a step does not depend on timing.
 */
export interface WorkLog {
  /** Replies by call key. */
  readonly replies: ReplyCache;
  /**
   * The reply to a call that the run has made since it last began; a run that began anew has not
   * made those of its earlier course until it needs them.
   */
  replySinceRestart(key: string): LmReply | undefined;
  /** Notes what was done; the line is written when this returns. */
  add(line: WorkLine): void;
  /** The same for what replies on file can bring again: it is written soon. */
  addSoon(line: WorkLine): void;
  /** By the number of the step: rollouts, by example, that the file held when it was opened. */
  rollouts(step: number): ReadonlyMap<string, Rollout>;
  /** Calls of the reflection LM without a result, by step. */
  readonly failedReflections: ReadonlyMap<number, FailedReflection>;
  /** Results of proposers without an LM, by step. */
  readonly proposed: ReadonlyMap<number, Json>;
  /** Outside answers, by question. */
  readonly observed: ReadonlyMap<number, Json>;
  /** Which cap cut a step short, in a few words, by step. */
  readonly cutShort: ReadonlyMap<number, string>;
  /** How often the search had asked whether to stop when it had to; absent if it was not. */
  readonly stopped: Stopped | undefined;
  /** Calls across all processes: each reply on file counts once in `logical`. */
  costs(): LedgerSnapshot;
  /** What was sent to a server, by role, across all processes of the run. */
  billed(): { readonly [Role in LmRole]?: LedgerEntry["billed"] };
  /** Maximum total cost, in US dollars, of earlier processes' calls with an unknown end. */
  readonly unendedUsd: number;
  /** Whether this call was sent, and came to no reply: it failed, or a process ended during it. */
  isUnended(key: string): boolean;
  /**
   * Number of replies on file, of rollouts that it held when it was opened, and of this process's
   * calls that returned no reply that could be kept.
   */
  readonly counts: Readonly<Record<"replies" | "rollouts" | "unsaved", number>>;
  /** Milliseconds recorded by earlier processes. */
  readonly elapsedMs: number;
}

/** A request to end, made through the run's folder. */
export interface Stopped {
  /** The question that it answered; later ones are answered alike. */
  readonly asked: number;
  readonly reason: string;
}

export function workLog(file: JsonlFile): WorkLog {
  const replies = new Map<string, LmReply>();
  const sinceRestart = new Set<string>();
  const rollouts = new Map<number, Map<string, Rollout>>();
  const failedReflections = new Map<number, FailedReflection>();
  const proposed = new Map<number, Json>();
  const observed = new Map<number, Json>();
  const cutShort = new Map<number, string>();
  const costs = callCosts();
  let elapsedMs = 0;
  let stopped: Stopped | undefined;

  const take = (line: WorkLine): void => {
    costs.take(line);
    switch (line.kind) {
      case "sent":
      case "sent-again":
      case "failed":
        return;
      case "reply":
        if (!replies.has(line.key)) replies.set(line.key, line.reply);
        sinceRestart.add(line.key);
        return;
      case "reused":
        sinceRestart.add(line.key);
        return;
      case "rollout": {
        const ofStep = rollouts.get(line.step) ?? new Map<string, Rollout>();
        rollouts.set(line.step, ofStep.set(line.rollout.exampleId, line.rollout));
        return;
      }
      case "failed-reflection":
        failedReflections.set(line.step, line);
        return;
      case "proposed":
        proposed.set(line.step, line.value);
        return;
      case "observed":
        observed.set(line.question, line.answer);
        return;
      case "stopped":
        stopped = line.reason === null ? undefined : { asked: line.asked, reason: line.reason };
        return;
      case "cut-short":
        cutShort.set(line.step, line.detail);
        return;
      case "elapsed":
        elapsedMs = line.ms;
        return;
      case "restart":
        for (const all of [rollouts, failedReflections, proposed, observed, cutShort]) all.clear();
        sinceRestart.clear();
        stopped = undefined;
    }
  };
  const add = (line: WorkLine): void => {
    file.append(line);
    take(line);
  };

  for (const line of file.existing) if (!isDecision(line)) take(line as WorkLine);
  costs.end();
  const [elapsedBefore, unendedBefore] = [elapsedMs, costs.unendedUsd];

  return {
    replies: {
      get: (key) => {
        const reply = replies.get(key);
        if (reply !== undefined && !sinceRestart.has(key)) add({ kind: "reused", key });
        return reply;
      },
      set: (key, reply) => add({ kind: "reply", key, reply }),
    },
    replySinceRestart: (key) => (sinceRestart.has(key) ? replies.get(key) : undefined),
    add,
    addSoon: (line) => file.appendSoon(line),
    rollouts: (step) => rollouts.get(step) ?? noRollouts,
    failedReflections,
    proposed,
    observed,
    cutShort,
    costs: () => costs.snapshot(),
    billed: () => costs.billed(),
    get stopped() {
      return stopped;
    },
    unendedUsd: unendedBefore,
    isUnended: (key) => costs.unended.has(key),
    get counts() {
      const held = [...rollouts.values()].reduce((sum, { size }) => sum + size, 0);
      return { replies: replies.size, rollouts: held, unsaved: costs.unsaved };
    },
    elapsedMs: elapsedBefore,
  };
}

const noRollouts: ReadonlyMap<string, Rollout> = new Map();

/** Reads a file of recorded replies without modifying it; an empty log if there is no file. */
export function readWork(path: string): WorkLog {
  const existing = existsSync(path) ? wholeLines(path, runAdvice).values : [];
  return workLog({ ...memoryLines(), path, existing });
}

/**
 * What was sent to a server, by role, according to a file of recorded replies; empty if there is no
 * file.
 */
export function billedIn(path: string): ReturnType<WorkLog["billed"]> {
  return readWork(path).billed();
}

/** Replies by call key, one by one: those of a long run may not fit into memory. */
export function* repliesIn(path: string): Generator<readonly [string, LmReply]> {
  for (const held of eachWholeLine(path, runAdvice)) {
    const line = held as WorkLine | DecisionLine;
    if (line.kind === "reply") yield [line.key, line.reply];
  }
}

/** What a file of recorded work says was spent. */
export interface RecordedSpending {
  /** Rollouts on file, of the last run in it. */
  readonly metricCalls: number;
  /** Replies of the reflection LM. */
  readonly reflectionCalls: number;
  /** Replies of all LMs, each once. */
  readonly lmCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Calls that were sent to a server, with those that got no reply. */
  readonly billedCalls: number;
  /** In US dollars, calls of unknown end at their worst case; `null` without prices. */
  readonly usd: number | null;
  readonly seconds: number;
}

/**
 * What all processes that wrote to a file of recorded work spent together, whether or not the work
 * has ended; nothing if there is no file.
 */
export function spentIn(path: string, prices: PriceTable | undefined): RecordedSpending {
  const log = readWork(path);
  const { total, byRole } = log.costs();
  const answered = ({ calls, failedCalls }: LedgerCounts): number => calls - failedCalls;
  return {
    metricCalls: log.counts.rollouts,
    reflectionCalls: byRole.reflection === undefined ? 0 : answered(byRole.reflection.logical),
    lmCalls: answered(total.logical),
    promptTokens: total.logical.promptTokens,
    completionTokens: total.logical.completionTokens,
    billedCalls: total.billed.calls,
    usd: prices === undefined ? null : costOfRoles(log.billed(), prices) + log.unendedUsd,
    seconds: log.elapsedMs / 1000,
  };
}
