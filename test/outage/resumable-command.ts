import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { randomSource } from "espalier";
import type { CliResult } from "../support/run-cli.ts";
import { runCli } from "../support/run-cli.ts";
import type { CutCommand } from "./command-under-outage.ts";
import { commandUnderOutage } from "./command-under-outage.ts";
import { lmProcess } from "./lm-process.ts";
import type { OutageRow, OutageSetup } from "./outage-setup.ts";

/** Results by name; equal whether or not there was an outage. */
export type Parts = Readonly<Record<string, unknown>>;

/** A command that ends when its server stays away, and that goes on where it ended. */
export interface ResumableCommand {
  readonly name: string;
  /** All but the server and the patience; paths are relative to the folder it runs in. */
  readonly words: readonly string[];
  /** What to run after exit code 3. */
  readonly wordsToResume: readonly string[];
  partsIn(folder: string, ended: CliResult): Promise<Parts>;
  /** What a command has written because of the outage, in words. */
  leftovers(
    folder: string,
    undisturbed: Parts,
    options: { readonly gaveUp: boolean },
  ): Promise<readonly string[]>;
}

/**
 * Runs the command undisturbed, then under an outage that it outlasts and under one that it does
 * not, and compares.
 */
export async function outagesOf(
  command: ResumableCommand,
  setup: OutageSetup,
): Promise<readonly OutageRow[]> {
  const undisturbed = await withoutOutage(command, setup);
  return Promise.all([
    underOutage(command, setup, { ...undisturbed, patience: setup.longPatience, givesUp: false }),
    underOutage(command, setup, { ...undisturbed, patience: setup.shortPatience, givesUp: true }),
  ]);
}

interface Undisturbed {
  readonly parts: Parts;
  /** Chat calls. */
  readonly calls: number;
}

async function withoutOutage(command: ResumableCommand, setup: OutageSetup): Promise<Undisturbed> {
  const { folder, latencyMs } = setup;
  const cwd = await freshFolder(folder, `${command.name}-undisturbed`);
  await using lm = await lmProcess(latencyMs);
  const words = [...command.words, "--lm", lm.baseUrl];
  const ended = await runCli(words, { cwd });
  if (ended.code !== 0) throw new Error(`${command.name} without an outage: ${ended.stderr}`);
  return { parts: await command.partsIn(cwd, ended), calls: await lm.chatCalls() };
}

async function underOutage(
  command: ResumableCommand,
  { folder, outageMs, seed, latencyMs }: OutageSetup,
  {
    parts: undisturbed,
    calls,
    patience,
    givesUp,
  }: Undisturbed & { readonly patience: number; readonly givesUp: boolean },
): Promise<OutageRow> {
  const { name } = command;
  const cwd = await freshFolder(folder, `${name}-${givesUp ? "short" : "long"}`);
  await using lm = await lmProcess(latencyMs);
  const reached = ["--lm", lm.baseUrl, "--patience", String(patience)];
  // Not the last tenth: a command that has sent its last call does not notice an outage.
  const draws = randomSource(seed, `outage/${name}/${givesUp ? "short" : "long"}`);
  const afterCalls = 1 + draws.below(Math.floor(0.9 * calls));
  const cut = await commandUnderOutage([...command.words, ...reached], {
    cwd,
    lm,
    afterCalls,
    outageMs,
    givesUp,
  });
  const left = await command.leftovers(cwd, undisturbed, { gaveUp: cut.gaveUp });
  const ended = givesUp ? await runCli([...command.wordsToResume, ...reached], { cwd }) : cut;
  const parts = ended.code === 0 ? await command.partsIn(cwd, ended) : {};
  const differing = Object.keys(undisturbed).filter(
    (part) => !isDeepStrictEqual(parts[part], undisturbed[part]),
  );
  return {
    command: name,
    patience,
    killedAfter: cut.killedAfter,
    ofCalls: calls,
    awaySeconds: cut.awaySeconds,
    went: givesUp ? `exit ${cut.code}, resumed: exit ${ended.code}` : `exit ${cut.code}`,
    same: Object.keys(undisturbed).filter((part) => !differing.includes(part)),
    problems: [
      ...problemsOf(cut, givesUp),
      ...left,
      ...(ended.code === 0
        ? differing.map((part) => `differs: ${part}`)
        : [`ended with ${ended.code}: ${lastLine(ended.stderr)}`]),
    ],
  };
}

function problemsOf(cut: CutCommand, givesUp: boolean): readonly string[] {
  if (!cut.wasCut) return ["ended before the server was killed"];
  if (!givesUp) return cut.gaveUp ? ["ended before the server was back"] : [];
  return cut.code === 3 ? [] : [`gave up with ${cut.code}: ${lastLine(cut.stderr)}`];
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}

async function freshFolder(parent: string, name: string): Promise<string> {
  const path = join(parent, name);
  await mkdir(path);
  return path;
}
