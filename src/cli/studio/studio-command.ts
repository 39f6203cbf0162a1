import { statSync } from "node:fs";
import { resolve } from "node:path";
import { EspalierError, messageOf } from "../../errors/index.ts";
import type { AnyCommand } from "../arguments/arguments.ts";
import { jsonArgument, wholeNumber } from "../arguments/arguments.ts";
import { command } from "../arguments/command.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { portProblem } from "../arguments/port-problem.ts";
import { stateFile } from "../rollout/serve-rollout.ts";
import type { GuardedServer } from "../../serve/index.ts";
import { print, printToStderr } from "../terminal/terminal.ts";
import { startThread } from "./start-thread.ts";

/** `espalier studio`: pages over everything below a folder, live. */
export const studioSubcommand: AnyCommand = command({
  args: {
    folder: {
      type: "positional",
      description: "Folder to search for runs, results, artifacts and registries",
      valueHint: "FOLDER",
      required: false,
      default: ".",
    },
    host: { type: "string", description: "Local address to listen on", default: "127.0.0.1" },
    port: { type: "string", description: "0 picks a free port", valueHint: "N", default: "8090" },
    study: {
      type: "string",
      description:
        "The runs' studies, comma-separated: the pages then also show inputs, labels, differences by label, and each side's trace, replayed from recorded replies",
      valueHint: "STUDY,...",
    },
    state: {
      type: "string",
      description: "State folder of `espalier serve`, to show its trials, if not in FOLDER",
      valueHint: "STATE",
    },
    feedback: {
      type: "string",
      description: "Feedback file of `espalier serve`, to show its ratings, if not in FOLDER",
      valueHint: "DB",
    },
    ...jsonArgument,
  },
  run: async (given) => {
    const { folder } = given;
    checkFolder(folder);
    await using server = await startStudio(given);
    using interrupt = abortOnInterrupt();
    const { url } = server;
    print(given.json ? JSON.stringify({ url, folder }) : `Studio shows ${folder} on ${url}/`);
    const { promise, resolve: stop } = Promise.withResolvers<void>();
    interrupt.signal.addEventListener("abort", () => stop(), { once: true });
    if (!interrupt.signal.aborted) await promise;
  },
});

interface Given {
  readonly folder: string;
  readonly host: string;
  readonly port: string;
  readonly study?: string | undefined;
  readonly state?: string | undefined;
  readonly feedback?: string | undefined;
}

async function startStudio(given: Given): Promise<GuardedServer> {
  const { folder, host } = given;
  const port = wholeNumber("port", given.port, 0);
  const { isLoopback } = await import("../../serve/index.ts");
  if (!isLoopback(host)) throw notOwnMachine(host);
  const { studio } = await import("../../studio/index.ts");
  const studies = studiesOf(given.study);
  return studio({
    folder,
    serverFiles: [
      ...(given.state === undefined ? [] : [fileOf("state", stateFile(given.state))]),
      ...(given.feedback === undefined ? [] : [fileOf("feedback", given.feedback)]),
    ],
    startThread: () => startThread({ studies }),
    hasStudies: studies.length > 0,
    host,
    port,
    onFault: (error) => printToStderr(`The studio hit an error: ${messageOf(error)}`),
  }).catch((error: unknown) => {
    throw portProblem(error, given.port);
  });
}

/** A study is code: it is loaded only if somebody names it. */
function studiesOf(given: string | undefined): readonly string[] {
  return (given ?? "").split(",").flatMap((path) => (path.trim() === "" ? [] : [path.trim()]));
}

function checkFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new EspalierError({
    code: "file-missing",
    problem: "There is no such folder",
    where: folder,
    expected: "a folder with runs, results, artifacts or registries in it",
  });
}

function fileOf(option: string, path: string): string {
  const file = resolve(path);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file;
  throw new EspalierError({
    code: "file-missing",
    problem: `There is no file for --${option}`,
    where: file,
    expected: "a file that `espalier serve` wrote",
  });
}

function notOwnMachine(host: string): EspalierError {
  return new EspalierError({
    code: "usage-invalid",
    problem: "The studio has no keys, so only this machine may reach it",
    expected: "--host 127.0.0.1, localhost or ::1",
    got: `--host ${host}`,
    fix: "From another machine, forward the port: ssh -L 8090:127.0.0.1:8090 HOST",
  });
}
