/**
 * `npm run optimize`: the notes-guided retriever on four shelves, over real HTTP. Without --lm it
 * starts its own rehearsal server. --mtrag-dir and --multihop-dir name the folders for `--trainset
 * mtrag`, `musique` and `2wikimultihopqa`; `--mtrag-splits deal` splits the conversations of a
 * release that has no splits. All other options go to `espalier optimize`.
 */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { serveRehearsal } from "@espalier/rehearsal";

const study = "optimizers/notes-guided.ts";
const cli = resolve(import.meta.dirname, "../src/cli/bin.ts");
const { given, env } = withoutData(process.argv.slice(2), {
  "--mtrag-dir": "ESPALIER_MTRAG_DIR",
  "--mtrag-splits": "ESPALIER_MTRAG_SPLITS",
  "--multihop-dir": "ESPALIER_MULTIHOP_DIR",
});
if (given.includes("--help")) {
  console.log(`npm run optimize -- [--mtrag-dir DIR] [--multihop-dir DIR] and the options below. The folders
hold the data for \`--trainset mtrag\`, and for \`musique\` and \`2wikimultihopqa\`.\n`);
}
const isNamed = given.some((word) => word === "--lm" || word.startsWith("--lm="));

await using server = isNamed || given.includes("--help") ? undefined : await serveRehearsal();
const lm =
  server === undefined ? [] : ["--lm", `${server.url}/v1`, "--rehearsal", "--cache", "none"];
const child = spawn(
  process.execPath,
  ["--conditions=espalier:source", cli, "optimize", study, ...lm, ...given],
  { stdio: "inherit", env: { ...process.env, ...env } },
);
// The child handles Ctrl-C itself; this process only waits for it.
process.on("SIGINT", () => {});
process.exitCode = await new Promise<number>((done) =>
  child.once("close", (code) => done(code ?? 1)),
);
const folders = Object.entries(env).map(([name, value]) => ` ${name}='${value}'`);
if (folders.length > 0) console.log(`  # before these: export${folders.join("")}`);

/**
 * Moves the options that describe data from the command line to the variables that the study reads.
 */
function withoutData(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): { readonly given: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const given: string[] = [];
  const env: Record<string, string> = {};
  const rest = words.values();
  for (const word of rest) {
    const [option = "", ...value] = word.split("=");
    const variable = variables[option];
    if (variable === undefined) given.push(word);
    else env[variable] = value.length > 0 ? value.join("=") : (rest.next().value ?? "");
  }
  return { given, env };
}
