import type { Json, JsonObject } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { MlflowServer } from "./mlflow-server.ts";
import { batchLimits, metricName, withinLimit } from "./server-limits.ts";
import type { TrackedMetric } from "./tracked-run.ts";
import { valueAt } from "./value-at.ts";

/** A run on the server. */
export interface MlflowRun {
  readonly id: string;
  readonly startedAtMs: number;
  /** Where its files go: `mlflow-artifacts:/1/abc/artifacts`. */
  readonly artifactUri: string;
  readonly isNew: boolean;
}

/** The id of the experiment with this name, which is made if it does not exist. */
export async function experimentId(server: MlflowServer, name: string): Promise<string> {
  const path = "/api/2.0/mlflow/experiments/get-by-name";
  const query = { experiment_name: name };
  const found = await server.ask({ method: "GET", path, query });
  const known = valueAt(found, "experiment", "experiment_id");
  if (typeof known === "string") return known;
  const made = await required(server, "/api/2.0/mlflow/experiments/create", { name });
  return textIn(made, "experiment_id");
}

/** The run with this value of a tag, which is made if it does not exist. */
export async function runByTag(
  server: MlflowServer,
  {
    experiment,
    tag: [key, value],
    ...made
  }: {
    readonly experiment: string;
    readonly tag: readonly [key: string, value: string];
    readonly name: string;
    readonly startedAtMs: number;
    readonly tags: Readonly<Record<string, string>>;
  },
): Promise<MlflowRun> {
  const found = await required(server, "/api/2.0/mlflow/runs/search", {
    experiment_ids: [experiment],
    filter: `tags.\`${key}\` = '${value}'`,
    max_results: 1,
  });
  const runs = found["runs"];
  const [known] = Array.isArray(runs) ? runs : [];
  if (known !== undefined) return { ...readRun(known), isNew: false };
  const reply = await required(server, "/api/2.0/mlflow/runs/create", {
    experiment_id: experiment,
    run_name: withinLimit(made.name, "name"),
    start_time: Math.round(made.startedAtMs),
    tags: tagList({ ...made.tags, [key]: value }),
  });
  return { ...readRun(reply["run"] ?? null), isNew: true };
}

/** Logs what a run did. Values that it already has stay as they are. */
export async function logRun(
  server: MlflowServer,
  run: MlflowRun,
  given: {
    readonly params: Readonly<Record<string, string>>;
    readonly metrics: readonly TrackedMetric[];
    readonly tags: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const params = Object.entries(given.params).map(([key, value]) => ({
    key: withinLimit(key, "name"),
    value: withinLimit(value, "param"),
  }));
  const metrics = given.metrics
    .filter(({ value }) => Number.isFinite(value))
    .map(({ name, value, step }) => ({
      key: metricName(name),
      value,
      step,
      // The server drops a metric that it already has with the same time.
      timestamp: run.startedAtMs,
    }));
  const tags = tagList(given.tags);
  const batches = [
    ...inBatches(params, batchLimits.params).map((part) => ({ params: part })),
    ...inBatches(metrics, batchLimits.metrics).map((part) => ({ metrics: part })),
    ...inBatches(tags, batchLimits.tags).map((part) => ({ tags: part })),
  ];
  for (const batch of batches) {
    await required(server, "/api/2.0/mlflow/runs/log-batch", { run_id: run.id, ...batch });
  }
}

export async function endRun(
  server: MlflowServer,
  { id }: MlflowRun,
  endedAtMs: number | null,
): Promise<void> {
  await required(server, "/api/2.0/mlflow/runs/update", {
    run_id: id,
    ...(endedAtMs === null
      ? { status: "RUNNING" }
      : { status: "FINISHED", end_time: Math.round(endedAtMs) }),
  });
}

/** Asks for something that must exist. */
export async function required(
  server: MlflowServer,
  path: string,
  body: JsonObject,
): Promise<JsonObject> {
  const reply = await server.ask({ method: "POST", path, body });
  if (reply !== null) return reply;
  throw new EspalierError({
    code: "tracking-refused",
    problem: "The tracking server does not know what it was asked for",
    where: `${server.url}${path}`,
    got: "HTTP 404",
    fix: "Check that the URL is that of an MLflow server, of version 3.6 or later.",
  });
}

export function inBatches<TItem>(items: readonly TItem[], size: number): readonly TItem[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, place) => items.slice(place * size, (place + 1) * size));
}

function tagList(tags: Readonly<Record<string, string>>): JsonObject[] {
  return Object.entries(tags).map(([key, value]) => ({
    key: withinLimit(key, "name"),
    value: withinLimit(value, "tag"),
  }));
}

function readRun(value: Json): Omit<MlflowRun, "isNew"> {
  const info = valueAt(value, "info");
  return {
    id: textIn(info, "run_id"),
    artifactUri: textIn(info, "artifact_uri"),
    startedAtMs: Number(valueAt(info, "start_time") ?? 0),
  };
}

function textIn(value: Json | undefined, key: string): string {
  const text = valueAt(value, key);
  if (typeof text === "string") return text;
  throw new EspalierError({
    code: "tracking-failed",
    problem: "The tracking server's reply lacks what it must hold",
    expected: `a text \`${key}\``,
    got: JSON.stringify(value ?? null).slice(0, 200),
    fix: "Check that the URL is that of an MLflow server, of version 3.6 or later.",
  });
}
