import { spawnSync } from "node:child_process";
import { notePassed, presentHash, serverSuites } from "./ci/server-suite.ts";
import { refuse, scriptOptions } from "./support/script-options.ts";

const tiers = ["test", "test:merge", "test:slow", "test:vllm", "test:mlflow"];
const help = {
  command: "npm run test:all",
  about: `Runs all tests, or only the given TIERs: ${tiers.join(", ")}. A complete pass of test:vllm or test:mlflow is recorded in its depends-on.json; merges then run only its smoke test until a file listed there changes.`,
  positionals: "[TIER...]",
};
const { positionals } = scriptOptions(help);
const unknown = positionals.find((tier) => !tiers.includes(tier));
if (unknown !== undefined) refuse(`There is no tier ${unknown}.`, help);

const failed = (positionals.length > 0 ? positionals : tiers).filter((tier) => {
  // A test that skips where its machine lacks something fails here.
  const env = { ...process.env, CI: "true" };
  const suite = serverSuites.find((name) => tier === `test:${name}`);
  // Of the files as they are now: some may be edited while the suite runs.
  const hash = suite && presentHash(suite);
  const { status } = spawnSync("npm", ["run", tier], { stdio: "inherit", env });
  if (status === 0 && suite && hash) notePassed(suite, hash);
  return status !== 0;
});
console.log(failed.length === 0 ? "All tiers passed." : `Failed: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
