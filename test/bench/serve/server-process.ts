import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";

/** A process's usage since its start. */
export interface Used {
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
}

/** All servers of the bench. */
export interface Servers {
  readonly upstream: ServerProcess;
  readonly proxy: ServerProcess;
  readonly ours: ServerProcess;
}

/** A server in its own process, which prints its address when it is ready. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  used(): Promise<Used>;
  tell(message: object): void;
}

/**
 * @param file a script that Node.js runs from source
 * @param logPath the file for its standard error
 */
export async function serverProcess(
  file: URL,
  args: readonly string[],
  logPath: string,
): Promise<ServerProcess> {
  const log = openSync(logPath, "a");
  const child = fork(file, args, {
    execArgv: [
      "--conditions=espalier:source",
      `--import=${new URL("probe.ts", import.meta.url).href}`,
    ],
    stdio: ["ignore", "pipe", log, "ipc"],
  });
  closeSync(log);
  const url = await printedUrl(child, logPath);
  return {
    url,
    used: async () => {
      const answered = once(child, "message", { signal: AbortSignal.timeout(30_000) });
      child.send("used");
      const [used] = (await answered) as [Used];
      return used;
    },
    tell: (message) => void child.send(message),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function printedUrl(child: ChildProcess, logPath: string): Promise<string> {
  let printed = "";
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stdout?.on("data", (piece: Buffer) => {
    printed += piece.toString();
    const [url] = /http:\/\/127\.0\.0\.1:\d+(\/v1)?(?=\n)/.exec(printed) ?? [];
    if (url !== undefined) resolve(url);
  });
  child.once("exit", (code) => reject(new Error(`A server exited with ${code}; see ${logPath}.`)));
  return promise;
}
