import type { Artifact } from "../../artifact/index.ts";
import type { SqliteFormat } from "../open-sqlite.ts";
import { openSqlite } from "../open-sqlite.ts";
import type { Observation, RolloutRules } from "./evidence.ts";
import { forgetKeys } from "./forget-keys.ts";

/** Which versions stand against each other. */
export interface RolloutPair {
  /** Id of the chat model. */
  readonly model: string;
  /** Version that answers by right; `declared` for the program as it stands. */
  readonly baseline: string;
  readonly candidate: string;
  /** When the candidate became it: promoted again, it is tried anew. */
  readonly since: string;
}

/** `ended`: the versions stand against each other no more. */
export type RolloutStatus = "running" | "rolled-back" | "ended";

/** A rollout as it is kept. */
export interface KeptRollout extends RolloutPair, RolloutRules {
  readonly id: number;
  /** Share of the keys that the candidate answers; as it was last served. */
  readonly canary: number;
  /** Share of the other keys whose question both answer. */
  readonly shadow: number;
  readonly status: RolloutStatus;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** Of a rollback, with figures. */
  readonly why: string | null;
}

/**
 * What a server has to know after a restart, in one file, which several servers may share: rollouts, how
 * good answers were, by hashes of keys and without a word of what was said, and the artifacts that were
 * last served.
 */
export interface ServeState extends Disposable {
  /**
   * Begins a rollout, or goes on with it under the rules that it began with; other rollouts of the model
   * end.
   */
  begin(
    pair: RolloutPair,
    settings: RolloutRules & Pick<KeptRollout, "canary" | "shadow">,
  ): KeptRollout;
  /** No rollout of the model runs on. */
  end(model: string): void;
  statusOf(id: number): RolloutStatus;
  hasObserved(id: number, key: Uint8Array): boolean;
  /** @returns whether it counts: a key does once, and nothing does after a rollout's end */
  observe(id: number, key: Uint8Array, observation: Observation): boolean;
  /**
   * Nobody can tell any more whose scores those of these keys are, as `rolloutKey` makes them; whoever comes
   * again counts again.
   *
   * @returns how many scores that were, over all rollouts
   * @throws EspalierError `serve-state-unusable` where a rest may be left in the file
   */
  forget(keys: readonly string[]): number;
  /** Oldest first; `number` is that of the last one known. */
  observationsAfter(
    id: number,
    number: number,
  ): readonly { readonly number: number; readonly observation: Observation }[];
  /** @returns whether it still ran: of several servers, one is told so */
  rollBack(id: number, why: string): boolean;
  /** Oldest first. */
  rollouts(): readonly KeptRollout[];
  /** What was last kept for a chat model. */
  knownGood(model: string): Artifact | null;
  /** @param artifact `null`: the program is served as it is declared */
  keepKnownGood(model: string, artifact: Artifact | null): void;
}

/**
 * Opens the file.
 *
 * @param path `:memory:` for a state that ends with the server
 * @throws EspalierError `file-missing`, `serve-state-unusable`
 */
export function openServeState(
  path: string,
  {
    isMade = true,
    now = () => new Date(),
  }: {
    /** Whether a file that is not there is made. @default true */
    readonly isMade?: boolean;
    readonly now?: () => Date;
  } = {},
): ServeState {
  const database = openSqlite(path, format, isMade);
  const nowMs = (): number => now().getTime();
  const begun = database.prepare(
    "SELECT * FROM rollouts WHERE model = ? AND baseline = ? AND candidate = ? AND since = ?",
  );
  const insert = database.prepare(
    `INSERT INTO rollouts (model, baseline, candidate, since, canary, shadow, alpha, tolerance, started_ms, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'running')
     ON CONFLICT DO UPDATE SET canary = excluded.canary, shadow = excluded.shadow,
       status = iif(status = 'ended', 'running', status),
       ended_ms = iif(status = 'ended', NULL, ended_ms)`,
  );
  const end = database.prepare(
    "UPDATE rollouts SET status = 'ended', ended_ms = ? WHERE model = ? AND id <> ? AND status = 'running'",
  );
  const status = database.prepare("SELECT status FROM rollouts WHERE id = ?");
  const observed = database.prepare(
    "SELECT 1 AS is_there FROM observations WHERE rollout = ? AND key = ?",
  );
  const observe = database.prepare(
    `INSERT OR IGNORE INTO observations (rollout, key, baseline, candidate)
     SELECT id, ?, ?, ? FROM rollouts WHERE id = ? AND status = 'running'`,
  );
  const after = database.prepare(
    "SELECT number, baseline, candidate FROM observations WHERE rollout = ? AND number > ? ORDER BY number",
  );
  const rollBack = database.prepare(
    "UPDATE rollouts SET status = 'rolled-back', ended_ms = ?, why = ? WHERE id = ? AND status = 'running'",
  );
  const keep = database.prepare(
    `INSERT INTO known_good (model, artifact) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET artifact = excluded.artifact`,
  );
  const known = database.prepare("SELECT artifact FROM known_good WHERE model = ?");

  return {
    begin: (pair, { canary, shadow, alpha, tolerance }) => {
      const { model, baseline, candidate, since } = pair;
      const names = [model, baseline, candidate, since] as const;
      insert.run(...names, canary, shadow, alpha, tolerance, nowMs());
      const rollout = keptRollout(begun.get(...names) ?? {});
      end.run(nowMs(), model, rollout.id);
      return rollout;
    },
    end: (model) => void end.run(nowMs(), model, 0),
    statusOf: (id) => String(status.get(id)?.["status"]) as RolloutStatus,
    hasObserved: (id, key) => observed.get(id, key) !== undefined,
    observe: (id, key, { baseline, candidate }) =>
      Number(observe.run(key, baseline, candidate, id).changes) > 0,
    forget: (keys) => forgetKeys(database, keys),
    observationsAfter: (id, number) =>
      after.all(id, number).map((row) => ({
        number: Number(row["number"]),
        observation: {
          baseline: row["baseline"],
          candidate: row["candidate"],
        } as Observation,
      })),
    rollBack: (id, why) => Number(rollBack.run(nowMs(), why, id).changes) > 0,
    rollouts: () => database.prepare("SELECT * FROM rollouts ORDER BY id").all().map(keptRollout),
    knownGood: (model) => {
      const text = known.get(model)?.["artifact"];
      return typeof text === "string" ? (JSON.parse(text) as Artifact) : null;
    },
    keepKnownGood: (model, artifact) =>
      void keep.run(model, artifact === null ? null : JSON.stringify(artifact)),
    [Symbol.dispose]: () => {
      if (database.isOpen) database.close();
    },
  };
}

const format: SqliteFormat = {
  name: "state of the server",
  // "esps" in ASCII.
  applicationId: 0x65737073,
  version: 1,
  tables: `
    CREATE TABLE rollouts (
      id INTEGER PRIMARY KEY, model TEXT NOT NULL, baseline TEXT NOT NULL, candidate TEXT NOT NULL,
      since TEXT NOT NULL, canary REAL NOT NULL, shadow REAL NOT NULL, alpha REAL NOT NULL,
      tolerance REAL NOT NULL, started_ms INTEGER NOT NULL, ended_ms INTEGER, why TEXT,
      status TEXT NOT NULL CHECK (status IN ('running', 'rolled-back', 'ended')),
      UNIQUE (model, baseline, candidate, since)
    );
    CREATE TABLE observations (
      number INTEGER PRIMARY KEY, rollout INTEGER NOT NULL REFERENCES rollouts, key BLOB NOT NULL,
      baseline REAL, candidate REAL, UNIQUE (rollout, key),
      CHECK (baseline IS NOT NULL OR candidate IS NOT NULL)
    );
    CREATE TABLE known_good (model TEXT PRIMARY KEY, artifact TEXT);
  `,
  // After a power cut the last observations may be missing, and the test goes on from those before.
  pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON",
  unusable: "serve-state-unusable",
  maker: "`espalier serve FILE --artifacts FOLDER` makes one.",
};

function keptRollout(row: Readonly<Record<string, unknown>>): KeptRollout {
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
    status: String(row["status"]) as RolloutStatus,
    startedAt: new Date(Number(row["started_ms"])),
    endedAt: typeof endedMs === "number" ? new Date(endedMs) : null,
    why: typeof row["why"] === "string" ? row["why"] : null,
  };
}
