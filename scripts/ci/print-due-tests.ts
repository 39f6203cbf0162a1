/**
 * Prints the test files of a suite against real servers that a merge runs: nothing, which means the
 * whole suite, where files that it depends on have changed since all of it last passed.
 */
import type { ServerSuite } from "./server-suite.ts";
import { dependsOn, presentHash } from "./server-suite.ts";

const suite = process.argv[2] as ServerSuite;
const { passed, smoke } = dependsOn(suite);
if (presentHash(suite) === passed) console.log(smoke.join(" "));
