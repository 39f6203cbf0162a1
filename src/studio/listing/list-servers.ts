import { messageOf } from "../../errors/index.ts";
import { openServeState, readPreferences, rolloutReports } from "../../serve/files.ts";
import type { RolloutReport } from "../../serve/index.ts";
import type { ListedServer, ListedTrial } from "../../report-page/index.ts";
import type { FoundItem } from "../finding/found.ts";

/** The trials in a state file; a server may be using it, and nothing in it changes. */
export function listedState({ id, path, changedMs }: FoundItem): ListedServer {
  const item = { kind: "state", id, changedAt: new Date(changedMs).toISOString() } as const;
  try {
    using state = openServeState(path, { isReadOnly: true });
    return { ...item, trials: rolloutReports(state)().map(listedTrial).toReversed() };
  } catch (error) {
    return { ...item, trials: [], problem: messageOf(error) };
  }
}

/** The ratings in a feedback file. */
export function listedFeedback({ id, path, changedMs }: FoundItem): ListedServer {
  const item = { kind: "feedback", id, changedAt: new Date(changedMs).toISOString() } as const;
  try {
    const preferences = readPreferences(path).map(({ preference, ...counts }) => ({
      ...counts,
      share: preference && {
        value: preference.ratio,
        interval: { low: preference.low, high: preference.high },
      },
    }));
    return { ...item, preferences };
  } catch (error) {
    return { ...item, preferences: [], problem: messageOf(error) };
  }
}

function listedTrial({
  findings,
  startedAt,
  endedAt,
  alpha,
  ...trial
}: RolloutReport): ListedTrial {
  const { model, baseline, candidate, status, why, canary, shadow } = trial;
  const { worse, better, isShownWorse, isShownBetter } = findings;
  return {
    model,
    baseline,
    candidate,
    status,
    why,
    canary,
    shadow,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    arms: { baseline: findings.baseline, candidate: findings.candidate },
    comparisons: findings.comparisons,
    evidence: { worse, better, decides: 1 / alpha },
    finding: isShownWorse ? "shown worse" : isShownBetter ? "shown better" : "open",
  };
}
