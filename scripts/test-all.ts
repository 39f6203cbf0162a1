import { spawnSync } from "node:child_process";
import { notePassed, presentHash, serverSuites } from "./ci/server-suite.ts";
import { refuse, scriptOptions } from "./support/script-options.ts";

const tiers = ["test", "test:merge", "test:slow", "test:vllm", "test:mlflow"];
const help = {
  command: "npm run test:all",
  about: `Runs every test whole, or the TIERs that are named: ${tiers.join(", ")}. Where all of test:vllm or test:mlflow pass, notes that in their depends-on.json, so that merges run a smoke of them until a file that they depend on changes.`,
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
