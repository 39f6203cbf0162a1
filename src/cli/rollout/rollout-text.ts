import type { RolloutReport } from "../../serve/index.ts";
import { signedText } from "../terminal/figures-text.ts";

/** A few lines per rollout: its versions, the counts and the findings. */
export function rolloutText(reports: readonly RolloutReport[]): string {
  if (reports.length === 0) return "No candidate has been tried yet.";
  return reports.map(linesOf).join("\n\n");
}

/** One line for the start-up message. */
export function rolloutTitle({
  model,
  candidate,
  baseline,
  canary,
  shadow,
}: RolloutReport): string {
  return [
    `${model}@${candidate} against ${baseline}`,
    ...(canary > 0 ? [`canary ${percent(canary)}`] : []),
    ...(shadow > 0 ? [`shadow ${percent(shadow)}`] : []),
  ].join(", ");
}

function linesOf(report: RolloutReport): string {
  const { why, findings, alpha, tolerance } = report;
  const { baseline, candidate } = findings;
  const difference =
    candidate.meanScore === null || baseline.meanScore === null
      ? ""
      : `, difference ${signedText(candidate.meanScore - baseline.meanScore, 3)}`;
  const verdict = findings.isShownWorse
    ? "shown worse"
    : findings.isShownBetter
      ? "shown better"
      : "open";
  return [
    rolloutTitle(report),
    `  ${statusText(report)}`,
    `  candidate  ${armText(candidate)}${difference}`,
    `  baseline   ${armText(baseline)}`,
    `  API keys   ${keysText(report)}`,
    `  evidence   worse ${findings.worse.toPrecision(3)}, better ${findings.better.toPrecision(3)} ` +
      `after ${findings.comparisons} comparisons; threshold ${Number((1 / alpha).toPrecision(3))} (alpha ${alpha}, tolerance ${tolerance}): ${verdict}`,
    ...(why === null ? [] : [`  why        ${why}`]),
  ].join("\n");
}

/** The state file does not say whether a server runs; this is all that is known here. */
function statusText({ status, startedAt, endedAt }: RolloutReport): string {
  const since = `since ${startedAt.toISOString()}`;
  if (status === "running")
    return `open ${since}; it continues while a server runs with --canary or --shadow`;
  return `${status} ${since}${endedAt === null ? "" : ` until ${endedAt.toISOString()}`}`;
}

function keysText({ keyShare, findings }: RolloutReport): string {
  const { apiKeys, waiting, isDecidable } = findings;
  if (keyShare === 1) return `${apiKeys} seen; their shares are not limited`;
  const bound = `${apiKeys} seen; each counts for at most ${percent(keyShare)} of the scores`;
  if (!isDecidable) {
    return `${bound}, so one key alone decides nothing: wait for requests with another key, or withdraw the candidate and promote it again with one key`;
  }
  return `${bound}; ${waiting} scores beyond that do not count yet; the evidence holds without any one key`;
}

function armText({ keys, meanScore }: RolloutReport["findings"]["candidate"]): string {
  return meanScore === null
    ? "no scores yet"
    : `mean score ${meanScore.toFixed(3)} of ${keys} keys`;
}

function percent(value: number): string {
  return `${Number((100 * value).toFixed(2))} %`;
}
