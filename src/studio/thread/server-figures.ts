import { openServeState, readPreferences, rolloutReports } from "../../serve/files.ts";
import type { RolloutReport } from "../../serve/index.ts";
import type { ListedPreference, ListedTrial } from "../../report-page/index.ts";
import { kindOfFile } from "../finding/kind-of-file.ts";

/** What a list shows of a server's file. */
export type ServerFigures =
  | { readonly kind: "state"; readonly trials: readonly ListedTrial[] }
  | { readonly kind: "feedback"; readonly preferences: readonly ListedPreference[] };

/**
 * Reads a file that a server may be using; nothing in it changes.
 *
 * Throws where it cannot be read.
 */
export async function serverFigures(path: string): Promise<ServerFigures> {
  return (await kindOfFile(path)) === "state" ? stateFigures(path) : feedbackFigures(path);
}

function stateFigures(path: string): ServerFigures {
  using state = openServeState(path, { isReadOnly: true });
  return { kind: "state", trials: rolloutReports(state)().map(listedTrial).toReversed() };
}

function feedbackFigures(path: string): ServerFigures {
  const preferences = readPreferences(path).map(({ preference, ...counts }) => ({
    ...counts,
    share: preference && {
      value: preference.ratio,
      interval: { low: preference.low, high: preference.high },
    },
  }));
  return { kind: "feedback", preferences };
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
