import { existsSync } from "node:fs";
import type { Failure, Json, LmReply, LmRole } from "../../contract/index.ts";
import type { ReplyCache } from "../../lm/index.ts";
import type { LedgerCounts, LedgerEntry, LedgerSnapshot } from "../../ledger/index.ts";
import type { PriceTable } from "../budget/index.ts";
import { costOfRoles } from "../budget/index.ts";
import type { Rollout } from "../evaluation/rollout.ts";
import { callCosts } from "./call-costs.ts";
import { checkLine } from "./line/event-lines.ts";
import { runAdvice } from "./run-folder.ts";
import type { JsonlFile } from "../../storage/index.ts";
import { eachWholeLine, memoryLines, wholeLines } from "../../storage/index.ts";
import type { FailedReflection, WorkLine } from "./line/work-lines.ts";
import { plainScore, rolloutOf, workShape } from "./line/work-lines.ts";

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
  sent(key: string, role: LmRole, worstUsd?: number): void;
  /** Notes a further request for a call; `lostUsd` is what the one before may have cost. */
  sentAgain(key: string, lostUsd?: number): void;
  failed(key: string, failure: Failure): void;
  /** Rollouts that the file held when it was opened. */
  rollouts(step: number): ReadonlyMap<string, Rollout>;
  addRollout(step: number, rollout: Rollout): void;
  failedReflection(step: number): FailedReflection | undefined;
  addFailedReflection(step: number, ended: FailedReflection): void;
  /** The result of a proposer without an LM; absent if it has not been called yet. */
  proposed(step: number): Json | undefined;
  /** An awaited result is written on return; a synchronous one can be recomputed. */
  addProposed(step: number, value: Json, isAwaited: boolean): void;
  /** The outside answer to a question; absent if it has not been asked yet. */
  observed(question: number): Json | undefined;
  addObserved(question: number, answer: Json): void;
  /** Calls across all processes: each reply on file counts once in `logical`. */
  costs(): LedgerSnapshot;
  /** What was sent to a server, by role, across all processes of the run. */
  billed(): { readonly [Role in LmRole]?: LedgerEntry["billed"] };
  /** How often the search had asked whether to stop when it had to; absent if it was not. */
  readonly stopped: Stopped | undefined;
  addStopped(stopped: Stopped): void;
  /** Which cap cut a step short, in a few words; absent if none did. */
  cutShort(step: number): string | undefined;
  addCutShort(step: number, detail: string): void;
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
  addElapsed(ms: number): void;
  sync(): Promise<void>;
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

  const noteRollout = (step: number, rollout: Rollout): void => {
    const ofStep = rollouts.get(step);
    if (ofStep === undefined) rollouts.set(step, new Map([[rollout.exampleId, rollout]]));
    else ofStep.set(rollout.exampleId, rollout);
  };
  const take = (line: WorkLine): void => {
    costs.take(line);
    switch (line.kind) {
      case "run":
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
      case "rollout":
        noteRollout(line.step, line.rollout);
        return;
      case "score":
        noteRollout(line.step, rolloutOf(line));
        return;
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

  for (const [index, line] of file.existing.entries()) {
    checkLine(line, { shape: workShape, path: file.path, index });
    take(line as WorkLine);
  }
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
    sent: (key, role, worstUsd = 0) =>
      add({ kind: "sent", key, role, ...(worstUsd > 0 && { worstUsd }) }),
    sentAgain: (key, lostUsd = 0) =>
      add({ kind: "sent-again", key, ...(lostUsd > 0 && { lostUsd }) }),
    failed: (key, failure) => add({ kind: "failed", key, failure }),
    rollouts: (step) => rollouts.get(step) ?? noRollouts,
    addRollout: (step, rollout) => {
      // The rollouts of a step are used together; if a kill loses some, their replies are on file.
      file.appendSoon(plainScore(step, rollout) ?? { kind: "rollout", step, rollout });
    },
    failedReflection: (step) => failedReflections.get(step),
    addFailedReflection: (step, ended) => add({ kind: "failed-reflection", step, ...ended }),
    proposed: (step) => proposed.get(step),
    addProposed: (step, value, isAwaited) => {
      const line: WorkLine = { kind: "proposed", step, value };
      if (isAwaited) file.append(line);
      else file.appendSoon(line);
    },
    observed: (question) => observed.get(question),
    addObserved: (question, answer) => add({ kind: "observed", question, answer }),
    costs: () => costs.snapshot(),
    billed: () => costs.billed(),
    get stopped() {
      return stopped;
    },
    addStopped: (now) => add({ kind: "stopped", ...now }),
    cutShort: (step) => cutShort.get(step),
    addCutShort: (step, detail) => add({ kind: "cut-short", step, detail }),
    unendedUsd: unendedBefore,
    isUnended: (key) => costs.unended.has(key),
    get counts() {
      const held = [...rollouts.values()].reduce((sum, { size }) => sum + size, 0);
      return { replies: replies.size, rollouts: held, unsaved: costs.unsaved };
    },
    elapsedMs: elapsedBefore,
    addElapsed: (ms) => file.appendSoon({ kind: "elapsed", ms } satisfies WorkLine),
    sync: () => file.sync(),
  };
}

const noRollouts: ReadonlyMap<string, Rollout> = new Map();

/** Reads a file of recorded replies without modifying it; an empty log if there is no file. */
export function readWork(path: string): WorkLog {
  const existing = existsSync(path)
    ? wholeLines(path, { isChecked: true, advice: runAdvice }).values
    : [];
  return workLog({ ...memoryLines(), path, existing });
}

/**
 * What was sent to a server, by role, according to a file of recorded replies; empty if there is no
 * file.
 */
export function billedIn(path: string): ReturnType<WorkLog["billed"]> {
  return readWork(path).billed();
}

/** Its lines one by one: the replies of a long run may not fit into memory. */
export function* workLinesIn(path: string): Generator<WorkLine> {
  let index = 0;
  for (const line of eachWholeLine(path, { isChecked: true, advice: runAdvice })) {
    checkLine(line, { shape: workShape, path, index });
    index++;
    yield line as WorkLine;
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
