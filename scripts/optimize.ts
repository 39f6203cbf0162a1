/**
 * `npm run optimize`: the notes-guided retriever on four shelves, over real HTTP. Without --lm it
 * starts a rehearsal server of its own; everything else is passed on to `espalier optimize`.
 */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { serveRehearsal } from "espalier/rehearsal";

const study = "optimizers/notes-guided.ts";
const cli = resolve(import.meta.dirname, "../src/cli/bin.ts");
const given = process.argv.slice(2);
const isNamed = given.some((word) => word === "--lm" || word.startsWith("--lm="));

await using server = isNamed ? undefined : await serveRehearsal();
const lm = server === undefined ? [] : ["--lm", `${server.url}/v1`, "--cache", "none"];
const child = spawn(
  process.execPath,
  ["--conditions=espalier:source", cli, "optimize", study, ...lm, ...given],
  { stdio: "inherit" },
);
// The child has its own Ctrl-C; this process only waits for it.
process.on("SIGINT", () => {});
process.exitCode = await new Promise<number>((done) =>
  child.once("close", (code) => done(code ?? 1)),
);
