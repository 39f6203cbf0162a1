import type { ChildProcess } from "node:child_process";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

export interface PostgresServer extends AsyncDisposable {
  /** Of its database `postgres`, as its superuser. */
  readonly url: string;
  readonly port: number;
  /** Its data, and the place for keys and certificates. */
  readonly folder: string;
  /** Makes an empty database and returns its URL. */
  database(name: string): Promise<string>;
  run(sql: string, url?: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Ends it at once, as a crash does. */
  crash(): Promise<void>;
  start(): Promise<void>;
}

/**
 * Starts a server on a free port with a folder of its own; both end with the test. PostgreSQL
 * refuses to run as root, so root runs it as `nobody`.
 *
 * @param settings lines of `postgresql.conf`
 */
export async function postgresServer(
  programs: string,
  {
    settings = [],
    access = [],
    prepare = () => undefined,
  }: {
    readonly settings?: readonly string[];
    /** Lines of `pg_hba.conf`, before one that trusts everybody. */
    readonly access?: readonly string[];
    /** Runs before the start, in the data folder. */
    readonly prepare?: (data: string) => void;
  } = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-postgres-"));
  own(folder);
  const bin = runnable(programs, folder);
  const data = join(folder, "data");
  const port = await freePort();
  as(
    join(bin, "initdb"),
    ["-D", data, "-U", "espalier", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8"],
    folder,
  );
  const lines = [
    `port = ${port}`,
    `unix_socket_directories = '${folder}'`,
    "listen_addresses = '127.0.0.1'",
    "fsync = off",
    "shared_buffers = 128MB",
    ...settings,
  ];
  appendFileSync(join(data, "postgresql.conf"), `${lines.join("\n")}\n`);
  const hba = join(data, "pg_hba.conf");
  if (access.length > 0) {
    const trusting = readFileSync(hba, "utf8");
    rmSync(hba);
    appendFileSync(hba, `${access.join("\n")}\n${trusting}`);
    own(hba);
  }
  prepare(data);
  const url = `postgres://espalier@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const log = join(folder, "log");
    const output = openSync(log, "a");
    const [command, ...words] = lowered([join(bin, "postgres"), "-D", data]);
    const started = spawn(command ?? "", words, {
      cwd: folder,
      env: { HOME: folder },
      stdio: ["ignore", output, output],
    });
    closeSync(output);
    child = started;
    for (;;) {
      if (started.exitCode !== null) {
        throw new Error(`PostgreSQL did not come up. Its log:\n${readFileSync(log, "utf8")}`);
      }
      if (await answers(url)) return;
      await delay(20);
    }
  };
  const end = async (signal: "SIGINT" | "SIGQUIT"): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  const run: PostgresServer["run"] = async (sql, at = url) => {
    const client = new pg.Client(at);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  await start();
  return {
    url,
    port,
    folder,
    run,
    database: async (name) => {
      await run(`CREATE DATABASE "${name}"`);
      return url.replace(/postgres$/, name);
    },
    crash: () => end("SIGQUIT"),
    start,
    [Symbol.asyncDispose]: async () => {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

/** Ends with this process, however that ends; as `nobody` if this process is root's. */
function lowered(command: readonly string[]): readonly string[] {
  const user = isRoot ? [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];
  return ["setpriv", "--pdeathsig", "QUIT", ...user, ...command];
}

function as(command: string, args: readonly string[], folder: string): void {
  const [program, ...words] = lowered([command, ...args]);
  const { status, stderr } = spawnSync(program ?? "", words, {
    env: { HOME: folder },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stderr}`);
}

function own(path: string): void {
  if (isRoot) spawnSync("chown", [`${nobody}:${nobody}`, path]);
}

/** Root's own folders are closed to `nobody`: copies the wheel's files, 40 MB, out of them. */
function runnable(programs: string, folder: string): string {
  const [test, ...words] = lowered(["test", "-x", join(programs, "postgres")]);
  if (spawnSync(test ?? "", words).status === 0) return programs;
  // `site-packages/PACKAGE/INSTALLATION/bin`, and the libraries in `site-packages/PACKAGE.libs`.
  const packages = resolve(programs, "../../..");
  const libraries = readdirSync(packages).filter((name) => name.endsWith(".libs"));
  for (const name of [relative(packages, resolve(programs, "..")), ...libraries]) {
    cpSync(join(packages, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
  return join(folder, relative(packages, programs));
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
