import type { Json, JsonObject } from "../../../../src/contract/index.ts";
import { EspalierError } from "../../../../src/errors/index.ts";
import type { TrackingServer } from "../server/tracking-server.ts";
import { batchLimits, metricName, withinLimit } from "./server-limits.ts";
import type { TrackedMetric } from "../tracked/tracked-run.ts";
import { textAt, valueAt } from "../tracked/value-at.ts";

/** A run on the server. */
export interface MlflowRun {
  readonly id: string;
  readonly startedAtMs: number;
  /** Where its files go: `mlflow-artifacts:/1/abc/artifacts`. */
  readonly artifactUri: string;
  /** Where the server has what the run was made for. */
  readonly tags: Readonly<Record<string, string>>;
  readonly isNew: boolean;
}

/** The id of the experiment with this name, which is made if it does not exist. */
export async function experimentId(server: TrackingServer, name: string): Promise<string> {
  const path = "/api/2.0/mlflow/experiments/get-by-name";
  return foundOrMade({
    find: async () => {
      const query = { experiment_name: name };
      const found = await server.ask({ method: "GET", path, query });
      const known = valueAt(found, "experiment", "experiment_id");
      return typeof known === "string" ? known : undefined;
    },
    make: async () => {
      const made = await required(server, "/api/2.0/mlflow/experiments/create", { name }, true);
      return textIn(made, "experiment_id");
    },
  });
}

/**
 * The run with this value of a tag, which is made if it does not exist. Of several, which a reply
 * that was lost may leave behind, the first counts, and the others are deleted.
 */
export async function runByTag(
  server: TrackingServer,
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
  return foundOrMade<MlflowRun>({
    find: async () => {
      const found = await required(server, "/api/2.0/mlflow/runs/search", {
        experiment_ids: [experiment],
        filter: `tags.\`${key}\` = '${value}'`,
        order_by: ["attributes.start_time ASC", "attributes.run_id ASC"],
        max_results: 10,
      });
      const runs = found["runs"];
      const [known, ...others] = Array.isArray(runs) ? runs.map(readRun) : [];
      for (const { id } of others) {
        await required(server, "/api/2.0/mlflow/runs/delete", { run_id: id });
      }
      return known && { ...known, isNew: false };
    },
    make: async () => {
      const body = {
        experiment_id: experiment,
        run_name: withinLimit(made.name, "name"),
        start_time: Math.round(made.startedAtMs),
        tags: tagList({ ...made.tags, [key]: value }),
      };
      const reply = await required(server, "/api/2.0/mlflow/runs/create", body, true);
      return { ...readRun(reply["run"] ?? null), isNew: true };
    },
  });
}

/**
 * What a server has, or else what it is asked to make. Making is never asked for again before
 * looking: a request whose reply was lost may have been obeyed.
 */
export async function foundOrMade<TThing>(
  {
    find,
    make,
  }: {
    readonly find: () => Promise<TThing | undefined>;
    readonly make: () => Promise<TThing>;
  },
  attempts = 4,
): Promise<TThing> {
  for (let attempt = 1; ; attempt++) {
    const found = await find();
    if (found !== undefined) return found;
    try {
      return await make();
    } catch (error) {
      const isKnown = EspalierError.isInstance(error) && retried.has(error.code);
      if (!isKnown || attempt >= attempts) throw error;
    }
  }
}

/** Refused: another process may have made it in between. */
const retried: ReadonlySet<string> = new Set(["tracking-failed", "tracking-refused"]);

/** Logs what a run did. Values that it already has stay as they are. */
export async function logRun(
  server: TrackingServer,
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
    .map(({ name, value, step, order = 0 }) => ({
      key: metricName(name),
      value,
      step,
      // The server drops a metric that it already has with the same time, and of several at one
      // step takes that with the last time.
      timestamp: run.startedAtMs + order,
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
  server: TrackingServer,
  { id }: MlflowRun,
  endedAtMs: number | null,
  status: "FINISHED" | "FAILED" = "FINISHED",
): Promise<void> {
  await required(server, "/api/2.0/mlflow/runs/update", {
    run_id: id,
    ...(endedAtMs === null ? { status: "RUNNING" } : { status, end_time: Math.round(endedAtMs) }),
  });
}

/** Asks for something that must exist. */
export async function required(
  server: TrackingServer,
  path: string,
  body: JsonObject,
  isSentOnce = false,
): Promise<JsonObject> {
  const reply = await server.ask({ method: "POST", path, body, isSentOnce });
  if (reply !== null) return reply;
  throw new EspalierError({
    code: "tracking-refused",
    problem: "The tracking server does not have the requested resource",
    where: `${server.url}${path}`,
    got: "HTTP 404",
    fix: "Check that the URL points to an MLflow server, version 3.6 or later.",
  });
}

function inBatches<TItem>(items: readonly TItem[], size: number): readonly TItem[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
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
    tags: tagsIn(valueAt(value, "data", "tags")),
  };
}

/** A server's list of keys and values. */
export function tagsIn(value: Json | undefined): Readonly<Record<string, string>> {
  const list = Array.isArray(value) ? value : [];
  return Object.fromEntries(list.map((tag) => [textAt(tag, "key"), textAt(tag, "value")]));
}

function textIn(value: Json | undefined, key: string): string {
  const text = valueAt(value, key);
  if (typeof text === "string") return text;
  throw new EspalierError({
    code: "tracking-failed",
    problem: "The tracking server's reply is incomplete",
    expected: `a text \`${key}\``,
    got: JSON.stringify(value ?? null).slice(0, 200),
    fix: "Check that the URL points to an MLflow server, version 3.6 or later.",
  });
}
