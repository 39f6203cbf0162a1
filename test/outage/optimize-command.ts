import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CliResult } from "../support/run-cli.ts";
import type { OutageSetup } from "./outage-setup.ts";
import type { Parts, ResumableCommand } from "./resumable-command.ts";
import { decisionsIn } from "../support/journal.ts";

/** `espalier optimize`, resumed with `--resume`. */
export function optimizeCommand({
  study,
  budget,
}: Pick<OutageSetup, "study" | "budget">): ResumableCommand {
  const words = ["optimize", study, "--budget", String(budget), "--cache", "none", "--json"];
  return {
    name: "optimize",
    words: [...words, "--run", "run"],
    wordsToResume: [...words, "--resume", "run"],
    partsIn: partsOfRun,
    leftovers: async (cwd, undisturbed, { gaveUp }) => {
      const isBeginning = String(undisturbed["journal"]).startsWith(decisionsIn(join(cwd, "run")));
      return [
        ...(isBeginning ? [] : ["the journal has events that the undisturbed one lacks"]),
        ...(await absencesIn(cwd, gaveUp ? ["failed"] : [])),
      ];
    },
  };
}

async function partsOfRun(cwd: string, { stdout }: CliResult): Promise<Parts> {
  const { hash, compiled } = JSON.parse(await readFile(join(cwd, "run/artifact.json"), "utf8")) as {
    readonly hash: string;
    readonly compiled: object;
  };
  const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as { readonly test: object };
  const work = await linesIn(cwd, "journal.jsonl");
  const reports = await linesIn(cwd, "report.jsonl");
  return {
    artifact: { hash, compiled },
    journal: decisionsIn(join(cwd, "run")),
    replies: repliesOf([...work, ...reports]),
    rollouts: rolloutsOf(work),
    "report on test": last.test,
  };
}

interface WorkLine {
  readonly kind: string;
  readonly key?: string;
  readonly step?: number;
  readonly reply?: { readonly content: string | null };
  readonly rollout?: { readonly exampleId: string };
}

async function linesIn(cwd: string, file: string): Promise<readonly WorkLine[]> {
  const content = await readFile(join(cwd, "run", file), "utf8").catch(() => "");
  return content
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as WorkLine);
}

/** Contents by key; how long a reply took and how often it was asked for may differ. */
function repliesOf(lines: readonly WorkLine[]): unknown {
  return new Map(
    lines.flatMap(({ key = "", reply }) =>
      reply === undefined ? [] : [[key, reply.content] as const],
    ),
  );
}

function rolloutsOf(lines: readonly WorkLine[]): unknown {
  return new Map(
    lines.flatMap(({ step = 0, rollout }) =>
      rollout === undefined ? [] : [[`${step} ${rollout.exampleId}`, rollout] as const],
    ),
  );
}

/**
 * What the files of a run hold because a server was away.
 *
 * @param allowed kinds of lines that may: of a run that gave up, `failed` ends a call that was sent
 *   without a reply. It is for the bill, and stands for nothing else: the call is sent again.
 */
async function absencesIn(cwd: string, allowed: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of ["journal.jsonl", "report.jsonl"]) {
    const faulty = (await linesIn(cwd, file)).filter(
      (line) =>
        !allowed.includes(line.kind) && JSON.stringify(line).includes('"kind":"infrastructure"'),
    );
    const kinds = Map.groupBy(faulty, ({ kind }) => kind);
    for (const [kind, { length }] of kinds) {
      found.push(`${file} has lines \`${kind}\` with a fault of the server: ${length}`);
    }
  }
  return found;
}
