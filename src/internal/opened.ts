const key = Symbol.for("espalier.opened");
const shared = globalThis as { [key]?: Set<Disposable | AsyncDisposable> };

/**
 * What is open in this process, in all installed copies of the package, and must not outlive the
 * command that runs: it closes them when it is done.
 */
export const opened: Set<Disposable | AsyncDisposable> = (shared[key] ??= new Set());

/** Kills a child process, until it is disposed of, if this process ends and leaves it behind. */
export function killedAtExit(pid: number): Disposable {
  const kill = (): void => {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  };
  process.once("exit", kill);
  return { [Symbol.dispose]: () => void process.off("exit", kill) };
}

/** Tells the user, who may see to it, of what is no error. */
export function warn(message: string): void {
  process.emitWarning(message, "EspalierWarning");
}
