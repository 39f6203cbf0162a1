import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { sourceHash } from "../support/source-hash.ts";

/** The suites of tests against real servers: each is a folder of `test/`. */
export const serverSuites = ["vllm", "mlflow"] as const;

export type ServerSuite = (typeof serverSuites)[number];

/** `test/SUITE/depends-on.json`. */
export interface DependsOn {
  /** Folders whose change asks for the whole suite. */
  readonly paths: readonly string[];
  /** Test files that a merge runs where nothing in these folders has changed. */
  readonly smoke: readonly string[];
  /** Hash of the folders' files when the whole suite last passed. */
  readonly passed: string;
}

export function dependsOn(suite: ServerSuite): DependsOn {
  return JSON.parse(readFileSync(fileOf(suite), "utf8")) as DependsOn;
}

/** Hash of the files as they are now. */
export function presentHash(suite: ServerSuite): string {
  const folders = dependsOn(suite).paths;
  return sourceHash(folders, (path) => path !== `test/${suite}/depends-on.json`);
}

/** Notes that the whole suite passed on the files of that hash. */
export function notePassed(suite: ServerSuite, hash: string): void {
  const text = readFileSync(fileOf(suite), "utf8");
  // The rest stays as the formatter left it.
  writeFileSync(fileOf(suite), text.replace(/"passed": "\w*"/, `"passed": "${hash}"`));
}

function fileOf(suite: ServerSuite): string {
  return resolve(import.meta.dirname, `../../test/${suite}/depends-on.json`);
}
