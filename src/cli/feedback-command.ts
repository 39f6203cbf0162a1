import { appendFile, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { defineCommand } from "citty";
import { EspalierError } from "../errors/index.ts";
import type { ErasedSubject, Preference } from "../serve/index.ts";
import { feedbackExample, openFeedback, openServeState, readPreferences } from "../serve/files.ts";
import type { AnyCommand } from "./arguments/arguments.ts";
import { jsonArgument } from "./arguments/arguments.ts";
import { command } from "./arguments/command.ts";
import { checkWritable } from "./arguments/check-writable.ts";
import { stateFile } from "./rollout/serve-rollout.ts";
import { print } from "./terminal/terminal.ts";

const databaseArgument = {
  database: {
    type: "positional",
    description: "File written by `espalier serve --feedback`",
    valueHint: "DB",
    required: true,
  },
} as const;

const summary = command({
  meta: { name: "summary", description: "Show each version's approval rate" },
  args: {
    ...databaseArgument,
    ...jsonArgument,
  },
  run: (given) => {
    const versions = readPreferences(given.database);
    print(given.json ? JSON.stringify({ versions }) : feedbackText(versions));
  },
});

const toTrainset = command({
  meta: { name: "to-trainset", description: "Write rated answers as examples" },
  args: {
    ...databaseArgument,
    out: {
      type: "string",
      description: "JSONL file to write the examples to; their traces go to a file beside it",
      valueHint: "FILE.jsonl",
      required: true,
    },
    model: {
      type: "string",
      description: "Use only answers from this chat model",
      valueHint: "ID",
    },
    ...jsonArgument,
  },
  run: async (given) => {
    await checkWritable("out", given.out);
    using store = openFeedback({ path: given.database });
    const traces = given.out.replace(/(\.jsonl)?$/, ".traces.jsonl");
    const mode = 0o600;
    await Promise.all([writeFile(given.out, "", { mode }), writeFile(traces, "", { mode })]);
    let rows = 0;
    let answered = 0;
    // Write row by row: the traces of a season do not fit into memory.
    for (const rated of store.rated()) {
      if (given.model !== undefined && rated.model !== given.model) continue;
      const { example, trace } = feedbackExample(rated);
      await appendFile(given.out, `${JSON.stringify(example)}\n`);
      await appendFile(traces, `${JSON.stringify(trace)}\n`);
      rows += 1;
      if (example.labels.answer !== null) answered += 1;
    }
    if (given.json) print(JSON.stringify({ rows, answered, out: given.out, traces }));
    else {
      print(`${given.out}: ${rows} rated, ${answered} with an answer\n${traces}: their traces`);
    }
  },
});

const settlingMs = 1_000;

const erase = command({
  meta: { name: "erase", description: "Permanently erase an answer, or all answers to a user" },
  args: {
    ...databaseArgument,
    id: { type: "string", description: "Answer to erase: chatcmpl-...", valueHint: "ID" },
    user: { type: "string", description: "Erase all answers to this user", valueHint: "U" },
    key: {
      type: "string",
      description: "With --user: only answers to requests with this API key",
      valueHint: "NAME",
    },
    state: {
      type: "string",
      description: "State folder of `espalier serve`, to anonymize scores in its rollouts as well",
      valueHint: "FOLDER",
    },
    ...jsonArgument,
  },
  run: async (given) => {
    const subject = subjectOf(given);
    using store = openFeedback({ path: given.database });
    // An answer that a server just gave may not be in the file yet.
    await delay(settlingMs);
    using state =
      given.state === undefined
        ? undefined
        : openServeState(stateFile(given.state), { isMade: false });
    // Forget first: once the answers are erased, the file no longer tells whose scores to forget.
    const forgotten = state?.forget(store.rolloutKeysOf(subject));
    const erased = store.erase(subject);
    if (given.json) print(JSON.stringify({ ...erased, ...(state && { forgotten }) }));
    else {
      const ofRollouts = state && `${forgotten} scores in rollouts are now anonymous.\n`;
      print(
        `${erased.completions} erased, and ${erased.quoting} more that follow them in a conversation or repeat them word for word.\n` +
          `${ofRollouts ?? ""}Excerpts and edited copies of them are not found.\n` +
          "Backups and trainsets written earlier are not changed.",
      );
    }
  },
});

/** `espalier feedback`: ratings of answers. */
export const feedbackSubcommand: AnyCommand = defineCommand({
  subCommands: { summary, "to-trainset": toTrainset, erase },
});

function subjectOf({
  id,
  user,
  key: apiKey,
}: Readonly<Partial<Record<"id" | "user" | "key", string | undefined>>>): ErasedSubject {
  if (id !== undefined && user === undefined && apiKey === undefined) return { id };
  if (user !== undefined && id === undefined)
    return { user, ...(apiKey !== undefined && { apiKey }) };
  const given = Object.entries({ id, user, key: apiKey }).flatMap(([name, value]) =>
    value === undefined ? [] : `--${name}`,
  );
  throw new EspalierError({
    code: "usage-invalid",
    problem: "It is not clear what to erase",
    expected: "either --id, or --user with or without --key",
    got: given.length === 0 ? "neither" : given.join(" and "),
  });
}

/** One line per version, with its approval rate and how certain that is. */
function feedbackText(versions: readonly Preference[]): string {
  if (versions.length === 0) return "No answers are stored.";
  const names = versions.map(({ model, version }) => `${model}@${version}`);
  const width = Math.max(...names.map((name) => name.length));
  return versions
    .map(({ completions, up, down, preference }, index) =>
      [
        (names[index] ?? "").padEnd(width),
        `${completions} answers, ${up} up, ${down} down`,
        ...(preference === null
          ? []
          : [
              `${percent(preference.ratio)} liked (95 %: ${percent(preference.low)} to ${percent(preference.high)})`,
            ]),
      ].join("  "),
    )
    .join("\n");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
