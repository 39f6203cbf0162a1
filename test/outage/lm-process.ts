import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { once } from "node:events";
import type { CallReport } from "@espalier/rehearsal";
import { ownConnection } from "./own-connection.ts";

/** The rehearsal LM over HTTP, in a process that can be killed and started again. */
export interface LmProcess extends AsyncDisposable {
  /** As `--lm` takes it. */
  readonly baseUrl: string;
  /** Chat calls that the present process has received. */
  chatCalls(): Promise<number>;
  /** Has the present process die when it has received so many chat calls; resolves when it has. */
  diesAfter(calls: number): Promise<void>;
  /** Ends the process by SIGKILL, with the calls that it is answering. */
  kill(): Promise<void>;
  /** On the same port. */
  restart(): Promise<void>;
}

/** @param latencyMs least duration of a chat call */
export async function lmProcess(latencyMs: number): Promise<LmProcess> {
  let { child, url } = await started(latencyMs);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return {
    baseUrl: `${url}/v1`,
    chatCalls: async () => {
      const response = await fetch(`${url}/rehearsal/calls`, { headers: ownConnection });
      const { byEndpoint } = (await response.json()) as CallReport;
      return byEndpoint["POST /v1/chat/completions"]?.received ?? 0;
    },
    diesAfter: async (calls) => {
      const ended = once(child, "exit");
      child.send(calls);
      await ended;
    },
    kill,
    restart: async () => {
      ({ child, url } = await started(latencyMs, new URL(url).port));
    },
    [Symbol.asyncDispose]: kill,
  };
}

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
}

/** @param port any free one by default */
async function started(latencyMs: number, port?: string): Promise<Started> {
  const words = [String(latencyMs), ...(port === undefined ? [] : [port])];
  const child = fork(new URL("rehearsal-server.ts", import.meta.url), words, {
    execArgv: ["--conditions=espalier:source"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const failed = once(child, "close").then(([code]) => {
    throw new Error(`The rehearsal server ended with ${String(code)}: ${stderr}`);
  });
  // A process that is killed later fails nobody.
  failed.catch(() => undefined);
  const [url] = (await Promise.race([once(child, "message"), failed])) as [string];
  return { child, url };
}
