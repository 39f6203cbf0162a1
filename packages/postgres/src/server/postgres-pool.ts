import type { PoolClient } from "pg";
import { Pool } from "pg";
import { EspalierError } from "../../../../src/errors/index.ts";
import type { Clock } from "../../../../src/internal/index.ts";
import {
  credentialsIn,
  orAborted,
  secretMask,
  withoutCredentials,
} from "../../../../src/internal/index.ts";
import type { FaultPlace } from "./postgres-fault.ts";
import { postgresFault } from "./postgres-fault.ts";

export interface PostgresPoolOptions {
  /** `postgres://user:password@host:port/database?sslmode=verify-full`. */
  readonly url: string;
  readonly connections: number;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly attempts: number;
  readonly baseDelayMs: number;
  /** Server settings of each connection. */
  readonly settings: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

export type Row = Readonly<Record<string, unknown>>;

export type RunQuery = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export interface PostgresPool extends AsyncDisposable {
  /** Host, port and database, without credentials. */
  readonly where: string;
  /** Runs one statement that only reads; repeats it after faults that may pass. */
  read(
    sql: string,
    values: readonly unknown[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Row[]>;
  /** Holds one connection, without a statement timeout, while `work` runs. */
  hold<TResult>(
    work: (run: RunQuery) => Promise<TResult>,
    signal: AbortSignal | undefined,
  ): Promise<TResult>;
}

/**
 * Connections to one PostgreSQL server through the package `pg`.
 *
 * @throws EspalierError `option-invalid`
 */
export function postgresPool(options: PostgresPoolOptions): PostgresPool {
  const { url, attempts, baseDelayMs, clock } = options;
  const place = placeOf(options);
  const pool = new Pool({
    connectionString: url,
    max: options.connections,
    connectionTimeoutMillis: options.connectTimeoutMs,
    application_name: "espalier",
    keepAlive: true,
    // Before the first use of a connection. Not as startup parameters, which poolers refuse.
    verify: (client, done) => settle(client, options, done),
  });
  // An idle connection that the server ends is replaced by the next query.
  pool.on("error", ignored);

  const withClient = async <TResult>(
    work: (client: PoolClient) => Promise<TResult>,
    signal: AbortSignal | undefined,
  ): Promise<TResult> => {
    signal?.throwIfAborted();
    let client: PoolClient | undefined;
    try {
      client = await connected(pool, signal);
      client.on("error", ignored);
      const result = await cancellable(pool, client, work(client), signal);
      client.removeListener("error", ignored);
      client.release();
      return result;
    } catch (error) {
      // Ends a connection that may be in the middle of something.
      client?.release(true);
      signal?.throwIfAborted();
      throw postgresFault(error, place);
    }
  };

  return {
    where: place.where,
    read: async (sql, values, signal) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await withClient(async (client) => {
            const { rows } = await client.query<Row>(sql, [...values]);
            return rows;
          }, signal);
        } catch (error) {
          const mayPass = EspalierError.isInstance(error) && error.kind === "infrastructure";
          if (!mayPass || attempt >= attempts) throw error;
          await clock.sleep(baseDelayMs * 2 ** (attempt - 1), signal);
        }
      }
    },
    hold: (work, signal) =>
      withClient(async (client) => {
        // One statement after the other: the driver refuses to queue them itself.
        let last: Promise<unknown> = Promise.resolve();
        const run: RunQuery = async (sql, values = []) => {
          signal?.throwIfAborted();
          const next = last.then(() => client.query<Row>(sql, [...values]));
          last = next.catch(() => undefined);
          return (await next).rows;
        };
        await run("SET statement_timeout = 0");
        const result = await work(run);
        await run(`SET statement_timeout = ${options.statementTimeoutMs}`);
        return result;
      }, signal),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** A connection that ends fails the statement that it runs, which says so. */
const ignored = (): void => undefined;

/** Waits for a free connection no longer than the signal allows. */
async function connected(pool: Pool, signal: AbortSignal | undefined): Promise<PoolClient> {
  const connecting = pool.connect();
  try {
    return await orAborted(connecting, signal);
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw error;
  }
}

/**
 * Rejects as soon as the signal fires, after asking the server to cancel what the connection runs:
 * the driver itself cannot.
 */
async function cancellable<TResult>(
  pool: Pool,
  client: PoolClient,
  work: Promise<TResult>,
  signal: AbortSignal | undefined,
): Promise<TResult> {
  const { processID } = client as unknown as { readonly processID?: number };
  const cancel = (): void => {
    if (processID === undefined) return;
    pool.query("SELECT pg_cancel_backend($1)", [processID]).catch(() => undefined);
  };
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    return await orAborted(work, signal);
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

function settle(
  client: PoolClient,
  { settings, statementTimeoutMs }: PostgresPoolOptions,
  done: (error?: Error) => void,
): void {
  const all = { ...settings, statement_timeout: String(statementTimeoutMs) };
  client.query(
    "SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS given(name, value)",
    [Object.keys(all), Object.values(all)],
    (error: Error | null) => done(error ?? undefined),
  );
}

function placeOf({ url, statementTimeoutMs, connectTimeoutMs }: PostgresPoolOptions): FaultPlace {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== "postgres:" && parsed?.protocol !== "postgresql:") {
    throw new EspalierError({
      code: "option-invalid",
      problem: "The URL of the PostgreSQL server is invalid",
      expected: "`url`, such as `postgres://user:password@host:5432/database`",
      got: `\`${withoutCredentials(url)}\``,
    });
  }
  return {
    where: `postgres://${parsed.host}${parsed.pathname}`,
    masked: secretMask(credentialsIn(url)),
    statementTimeoutMs,
    connectTimeoutMs,
  };
}
