/**
 * Prints what a merge passes to vitest of a suite against real servers: no file, which means the
 * whole suite, where files that it depends on have changed since all of it last passed. Slow tests,
 * for which large models are fetched, run in `npm run test:all` alone.
 */
import type { ServerSuite } from "./server-suite.ts";
import { dependsOn, presentHash } from "./server-suite.ts";

const suite = process.argv[2] as ServerSuite;
const { passed, smoke } = dependsOn(suite);
const files = presentHash(suite) === passed ? smoke : [];
console.log([...files, "--exclude=**/*.slow.test.ts"].join(" "));
