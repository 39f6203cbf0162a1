import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dependsOn, presentHash, serverSuites } from "../../scripts/ci/server-suite.ts";

/** Modules that open connections, but to other servers, which have tests of their own. */
const toOthers = [
  /** Search engines, by recorded exchanges. */
  "src/retrieval/http/",
  /** Asked by others: `fetch` is a method of theirs. */
  "src/serve/",
];

test("every module that opens a connection has a suite against real servers which depends on it", () => {
  const covered = [...serverSuites.flatMap((suite) => dependsOn(suite).paths), ...toOthers];
  const opens = globSync("src/**/*.ts", { exclude: ["src/report-page/built/**"] }).filter((file) =>
    /from "(openai|eventsource-parser)|\bfetch\(/.test(readFileSync(file, "utf8")),
  );
  expect(opens.length).toBeGreaterThan(8);
  expect(opens.filter((file) => !covered.some((path) => file.startsWith(path)))).toEqual([]);
});

test.each(serverSuites)("%s: what it depends on exists, and its smoke is part of it", (suite) => {
  const { paths, smoke } = dependsOn(suite);
  expect(smoke.length).toBeGreaterThan(0);
  expect([...paths, ...smoke].filter((path) => !existsSync(path))).toEqual([]);
  expect(smoke.filter((path) => !path.startsWith(`test/${suite}/`))).toEqual([]);
  expect(presentHash(suite)).toMatch(/^[0-9a-f]{12}$/);
});
