import { EspalierError } from "../../errors/index.ts";
import type { Shape } from "../../internal/index.ts";
import { amount, at, finite, objectOf, oneOf, orNull, text, upTo } from "../../internal/index.ts";
import type { Observation } from "../comparison/sequential-comparison.ts";
import type { CanaryStatus, StoredCanary } from "./stored-canary.ts";

const share = upTo(1);
const rolloutShape = objectOf({
  model: text,
  baseline: text,
  candidate: text,
  since: text,
  canary: share,
  shadow: share,
  alpha: share,
  tolerance: share,
  key_share: share,
  status: oneOf("running", "rolled-back", "ended"),
  started_ms: amount,
  ended_ms: orNull(amount),
});
const observationShape = objectOf({
  api_key: text,
  weight: share,
  baseline: orNull(finite),
  candidate: orNull(finite),
});

/** SQLite holds any value in any column, and others write to files. */
function checkRow(name: string, row: Readonly<Record<string, unknown>>, shape: Shape): void {
  const problem = shape(row);
  if (problem !== null) throw unusableRow(at(name, problem));
}

export function unusableRow(got: string): EspalierError {
  return new EspalierError({
    code: "serve-state-unusable",
    problem: "The server state file has a row that no server writes",
    got,
    fix: "Restore the file from a backup, or choose another.",
  });
}

/** @throws EspalierError `serve-state-unusable` */
export function storedObservation(row: Readonly<Record<string, unknown>>): Observation {
  checkRow("observation", row, observationShape);
  const { api_key: apiKey, weight, baseline, candidate } = row;
  return { apiKey, weight, baseline, candidate } as Observation;
}

/** @throws EspalierError `serve-state-unusable` */
export function storedCanary(row: Readonly<Record<string, unknown>>): StoredCanary {
  checkRow("rollout", row, rolloutShape);
  const endedMs = row["ended_ms"];
  return {
    id: Number(row["id"]),
    model: String(row["model"]),
    baseline: String(row["baseline"]),
    candidate: String(row["candidate"]),
    since: String(row["since"]),
    canary: Number(row["canary"]),
    shadow: Number(row["shadow"]),
    alpha: Number(row["alpha"]),
    tolerance: Number(row["tolerance"]),
    keyShare: Number(row["key_share"]),
    status: String(row["status"]) as CanaryStatus,
    startedAt: new Date(Number(row["started_ms"])),
    endedAt: typeof endedMs === "number" ? new Date(endedMs) : null,
    why: typeof row["why"] === "string" ? row["why"] : null,
  };
}
