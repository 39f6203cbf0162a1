/**
 * `npm run optimize`: the types of questions, by a trained model of 135M parameters, in process.
 * Where it cannot run, and with --rehearsal, --lm, --servers, --trainset or the folder of a
 * trainset: the notes-guided retriever on four shelves, over real HTTP, by default with a rehearsal
 * server of its own. --mtrag-dir and --multihop-dir name the folders for `--trainset mtrag`,
 * `musique` and `2wikimultihopqa`; `--mtrag-splits deal` splits the conversations of a release that
 * has no splits. All other options go to `espalier optimize`.
 */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { connectLocal, smallest } from "@espalier/local";
import { serveRehearsal } from "@espalier/rehearsal";
import { EspalierError, messageOf } from "../src/errors/index.ts";

const cli = resolve(import.meta.dirname, "../src/cli/bin.ts");
const { given, env } = withoutData(process.argv.slice(2), {
  "--mtrag-dir": "ESPALIER_MTRAG_DIR",
  "--mtrag-splits": "ESPALIER_MTRAG_SPLITS",
  "--multihop-dir": "ESPALIER_MULTIHOP_DIR",
});
const isHelp = given.includes("--help");
if (isHelp) {
  console.log(`npm run optimize -- [--rehearsal] [--mtrag-dir DIR] [--multihop-dir DIR] and the options below.
By default a small trained model learns the types of questions. With --rehearsal, --lm or --trainset,
a published retriever is optimized instead; the folders hold the data for \`--trainset mtrag\`, and for \`musique\` and
\`2wikimultihopqa\`.\n`);
}
const isRetriever =
  ["--rehearsal", "--lm", "--servers", "--trainset"].some(names) || Object.keys(env).length > 0;
const isTrained = !isHelp && !isRetriever && (await hasModel());
await using server = isHelp || isTrained || names("--lm") ? undefined : await serveRehearsal();
const rehearsal =
  server === undefined ? [] : ["--lm", `${server.url}/v1`, "--rehearsal", "--cache", "none"];
const options = names("--lm") ? given : given.filter((word) => word !== "--rehearsal");
const words = isTrained
  ? ["optimizers/question-types.ts", "--lm", "local", ...options]
  : ["optimizers/notes-guided.ts", ...rehearsal, ...options];
const child = spawn(process.execPath, ["--conditions=espalier:source", cli, "optimize", ...words], {
  stdio: "inherit",
  env: { ...process.env, ...env },
});
// The child handles Ctrl-C itself; this process only waits for it.
process.on("SIGINT", () => {});
process.exitCode = await new Promise<number>((done) =>
  child.once("close", (code) => done(code ?? 1)),
);
const folders = Object.entries(env).map(([name, value]) => ` ${name}='${value}'`);
if (folders.length > 0) console.log(`  # before these: export${folders.join("")}`);

function names(option: string): boolean {
  return given.some((word) => word === option || word.startsWith(`${option}=`));
}

/** Loads the model, whose weights it fetches first; says why that cannot be done. */
async function hasModel(): Promise<boolean> {
  try {
    const onNote = (sentence: string): void => console.error(sentence);
    await using _lm = await connectLocal({ model: smallest, concurrency: 1, pull: { onNote } });
    return true;
  } catch (error) {
    const why = EspalierError.isInstance(error) ? error.report.problem : messageOf(error);
    console.error(
      `No trained model runs here, so the rehearsal LM, a rule-based mock, answers. ${why}.`,
    );
    return false;
  }
}

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
