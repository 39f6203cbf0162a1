import { spawn } from "node:child_process";
import { resolve } from "node:path";

const repository = resolve(import.meta.dirname, "../..");

/** How commands that a command prints begin in the tests' working folders. */
export const espalier = [
  process.execPath,
  "--conditions=espalier:source",
  resolve(repository, "src/cli/bin.ts"),
].join(" ");

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCli {
  readonly ended: Promise<CliResult>;
  /** Resolves as soon as standard error holds the text. */
  saw(text: string): Promise<void>;
  /** Resolves with standard output as soon as it holds the text. */
  printed(text: string): Promise<string>;
  /** @default "SIGINT" */
  interrupt(signal?: NodeJS.Signals): void;
}

/** Starts the command line from source in a process of its own. */
export function startCli(
  args: readonly string[],
  {
    cwd = process.cwd(),
    stdin = "",
    env = {},
  }: {
    readonly cwd?: string;
    readonly stdin?: string;
    /** Beside this process's own variables. */
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): RunningCli {
  const child = spawn(
    process.execPath,
    ["--conditions=espalier:source", resolve(repository, "src/cli/bin.ts"), ...args],
    { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] },
  );
  let stdout = "";
  let stderr = "";
  const waiting: (() => void)[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const look of waiting) look();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const look of waiting) look();
  });
  // A process may end, or close its input, before it has read any.
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  const until = (isReached: () => boolean): Promise<void> =>
    new Promise((done) => {
      const look = (): void => {
        if (isReached()) done();
      };
      waiting.push(look);
      look();
    });
  return {
    ended: new Promise((done, failed) => {
      child.once("error", failed);
      child.once("close", (code) => done({ code, stdout, stderr }));
    }),
    saw: (text) => until(() => stderr.includes(text)),
    printed: async (text) => {
      await until(() => stdout.includes(text));
      return stdout;
    },
    interrupt: (signal = "SIGINT") => child.kill(signal),
  };
}

/** Runs the command line to its end. */
export function runCli(...args: Parameters<typeof startCli>): Promise<CliResult> {
  return startCli(...args).ended;
}
