import { createHmac, randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { openSqlite, readSqlite, rewriteDatabase } from "../../storage/index.ts";
import type { CanaryRules, Observation, Scores } from "../comparison/sequential-comparison.ts";
import type { KeyedHash, CanaryPair, CanaryStatus, StoredCanary } from "./stored-canary.ts";
import { keyHash } from "./stored-canary.ts";
import { serveStateFormat } from "./serve-state-format.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Shape } from "../../internal/index.ts";
import { amount, at, finite, objectOf, oneOf, orNull, text, upTo } from "../../internal/index.ts";

/** The asker of an observation, hashed by `apiKeyHash` and `keyHash`: each pair counts once. */
export interface ObservedKey {
  readonly apiKey: Uint8Array;
  readonly key: Uint8Array;
}

/**
 * What a server must know after a restart, in one file that several servers may share: rollouts,
 * and the scores of answers by hashed key and without any of their text.
 */
export interface ServeState extends Disposable {
  /** Hashes with a secret that was made with the file and never leaves it. */
  readonly hashed: KeyedHash;
  /**
   * Begins a rollout, or continues it with its original alpha and tolerance and the least key share
   * that it ever had; other rollouts of the model end.
   */
  begin(
    pair: CanaryPair,
    settings: CanaryRules & Pick<StoredCanary, "canary" | "shadow">,
  ): StoredCanary;
  /** From now on one API key is at most this share of what counts; a stored share never rises. */
  bound(id: number, keyShare: number): void;
  keyShareOf(id: number): number;
  end(model: string): void;
  statusOf(id: number): CanaryStatus;
  hasObserved(id: number, key: ObservedKey): boolean;
  /** @returns whether it counts: a key counts once, and nothing counts after a rollout's end */
  observe(id: number, key: ObservedKey, observation: Scores & Pick<Observation, "weight">): boolean;
  /** Excludes the key from this rollout, unless it was counted before. */
  spend(id: number, key: ObservedKey): void;
  /**
   * Unlinks scores from these keys (results of `canaryKey`); a returning key is counted as new.
   *
   * @returns the number of unlinked scores, over all rollouts
   * @throws EspalierError `serve-state-unusable` if traces of them may be left in the file
   */
  forget(keys: readonly string[]): number;
  /** Oldest first; `number` is that of the last known observation. */
  observationsAfter(
    id: number,
    number: number,
  ): readonly { readonly number: number; readonly observation: Observation }[];
  /** @returns whether it was still running: only one of several servers gets `true` */
  rollBack(id: number, why: string): boolean;
  /** Oldest first. */
  rollouts(): readonly StoredCanary[];
}

/**
 * Opens the file. Its calls wait at most 20 ms for another process that holds it, since they block
 * the event loop; `forget`, which servers do not call, waits longer.
 *
 * @param path `:memory:` for a state that ends with the server
 * @throws EspalierError `file-missing`, `serve-state-unusable`
 */
export function openServeState(
  path: string,
  {
    isMade = true,
    isReadOnly = false,
    now = () => new Date(),
  }: {
    /** Whether to make a missing file. @default true */
    readonly isMade?: boolean;
    /**
     * Whether to leave the file unchanged, including its layout; a missing file is then not made.
     * @default false
     */
    readonly isReadOnly?: boolean;
    readonly now?: () => Date;
  } = {},
): ServeState {
  const database = isReadOnly
    ? readSqlite(path, serveStateFormat)
    : openSqlite(path, serveStateFormat, isMade);
  let secret = isReadOnly ? undefined : secretOf(database);
  if (!isReadOnly) database.exec(`PRAGMA busy_timeout = ${patienceMs.server}`);
  const hashed: KeyedHash = (parts) => keyedHash((secret ??= secretOf(database)))(parts);
  const nowMs = (): number => now().getTime();
  const upsertRollout = database.prepare(
    "SELECT * FROM rollouts WHERE model = ? AND baseline = ? AND candidate = ? AND since = ?",
  );
  const insert = database.prepare(
    `INSERT INTO rollouts (model, baseline, candidate, since, canary, shadow, alpha, tolerance, key_share, started_ms, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running')
     ON CONFLICT DO UPDATE SET canary = excluded.canary, shadow = excluded.shadow,
       key_share = min(key_share, excluded.key_share),
       status = iif(status = 'ended', 'running', status),
       ended_ms = iif(status = 'ended', NULL, ended_ms)`,
  );
  const end = database.prepare(
    "UPDATE rollouts SET status = 'ended', ended_ms = ? WHERE model = ? AND id <> ? AND status = 'running'",
  );
  const bound = database.prepare("UPDATE rollouts SET key_share = min(key_share, ?) WHERE id = ?");
  const keyShare = database.prepare("SELECT key_share FROM rollouts WHERE id = ?");
  const status = database.prepare("SELECT status FROM rollouts WHERE id = ?");
  const observed = database.prepare(
    "SELECT 1 AS is_there FROM observations WHERE rollout = ? AND api_key = ? AND key = ?",
  );
  const observe = database.prepare(
    `INSERT OR IGNORE INTO observations (rollout, api_key, key, weight, baseline, candidate)
     SELECT id, ?, ?, ?, ?, ? FROM rollouts WHERE id = ? AND status = 'running'`,
  );
  const after = database.prepare(
    `SELECT number, hex(api_key) AS api_key, weight, baseline, candidate FROM observations
     WHERE rollout = ? AND number > ? AND NOT (baseline IS NULL AND candidate IS NULL) ORDER BY number`,
  );
  const rollBack = database.prepare(
    "UPDATE rollouts SET status = 'rolled-back', ended_ms = ?, why = ? WHERE id = ? AND status = 'running'",
  );

  const rollouts = (): readonly StoredCanary[] =>
    database.prepare("SELECT * FROM rollouts ORDER BY id").all().map(storedCanary);

  return {
    hashed,
    begin: (pair, { canary, shadow, alpha, tolerance, keyShare }) => {
      const { model, baseline, candidate, since } = pair;
      const names = [model, baseline, candidate, since] as const;
      insert.run(...names, canary, shadow, alpha, tolerance, keyShare, nowMs());
      const rollout = storedCanary(upsertRollout.get(...names) ?? {});
      end.run(nowMs(), model, rollout.id);
      return rollout;
    },
    end: (model) => void end.run(nowMs(), model, 0),
    bound: (id, share) => void bound.run(share, id),
    keyShareOf: (id) => Number(keyShare.get(id)?.["key_share"]),
    statusOf: (id) => String(status.get(id)?.["status"]) as CanaryStatus,
    hasObserved: (id, { apiKey, key }) => observed.get(id, apiKey, key) !== undefined,
    observe: (id, { apiKey, key }, { weight, baseline, candidate }) =>
      Number(observe.run(apiKey, key, weight, baseline, candidate, id).changes) > 0,
    spend: (id, { apiKey, key }) => void observe.run(apiKey, key, 0, null, null, id),
    forget: (keys) => {
      database.exec(`PRAGMA busy_timeout = ${patienceMs.forget}`);
      try {
        return forgetKeys(database, { rollouts: rollouts(), hashed }, keys);
      } finally {
        database.exec(`PRAGMA busy_timeout = ${patienceMs.server}`);
      }
    },
    observationsAfter: (id, number) =>
      after.all(id, number).map((row) => ({
        number: Number(row["number"]),
        observation: storedObservation(row),
      })),
    rollBack: (id, why) => Number(rollBack.run(nowMs(), why, id).changes) > 0,
    rollouts,
    [Symbol.dispose]: () => {
      if (database.isOpen) database.close();
    },
  };
}

const patienceMs = { server: 20, forget: 10_000 } as const;

/** Made once; several processes that open a new file all get the same secret. */
function secretOf(database: DatabaseSync): Uint8Array {
  const read = database.prepare("SELECT bytes FROM secret");
  const make = database.prepare("INSERT OR IGNORE INTO secret (only, bytes) VALUES (1, ?)");
  if (read.get() === undefined) make.run(randomBytes(32));
  const bytes = read.get()?.["bytes"];
  if (bytes instanceof Uint8Array) return bytes;
  throw unusableRow("secret: expected bytes");
}

function keyedHash(secret: Uint8Array): KeyedHash {
  return (parts) => createHmac("sha256", secret).update(JSON.stringify(parts)).digest();
}

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

function unusableRow(got: string): EspalierError {
  return new EspalierError({
    code: "serve-state-unusable",
    problem: "The server state file has a row that was not written by a server",
    got,
    fix: "Restore the file from a backup, or choose another.",
  });
}

/** @throws EspalierError `serve-state-unusable` */
function storedObservation(row: Readonly<Record<string, unknown>>): Observation {
  checkRow("observation", row, observationShape);
  const { api_key: apiKey, weight, baseline, candidate } = row;
  return { apiKey, weight, baseline, candidate } as Observation;
}

/** @throws EspalierError `serve-state-unusable` */
function storedCanary(row: Readonly<Record<string, unknown>>): StoredCanary {
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

/**
 * Replaces the hashes of keys with random bytes, in all rollouts and for all API keys: the scores
 * stay, but nothing links them to a key any more. Rewrites the file afterwards.
 *
 * @returns the number of replaced hashes
 * @throws EspalierError `serve-state-unusable`
 */
function forgetKeys(
  database: DatabaseSync,
  {
    rollouts,
    hashed,
  }: { readonly rollouts: readonly ForgetfulCanary[]; readonly hashed: KeyedHash },
  keys: readonly string[],
): number {
  const forget = database.prepare(
    "UPDATE observations SET key = randomblob(16) WHERE rollout = ? AND key = ?",
  );
  let forgotten = 0;
  for (const rollout of rollouts) {
    for (const key of keys) {
      forgotten += Number(forget.run(rollout.id, keyHash(hashed, rollout, key)).changes);
    }
  }
  rewriteDatabase(database, { code: "serve-state-unusable", done: "The keys are forgotten" });
  return forgotten;
}

type ForgetfulCanary = CanaryPair & { readonly id: number };
