const children = new Set<number>();

/** Kills a child process if this process ends and leaves it behind; until it is disposed of. */
export function killedAtExit(pid: number): Disposable {
  if (children.size === 0) process.once("exit", killChildren);
  children.add(pid);
  return {
    [Symbol.dispose]: () => {
      children.delete(pid);
      if (children.size === 0) process.off("exit", killChildren);
    },
  };
}

function killChildren(): void {
  for (const pid of children) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

/** Tells the user, who may see to it, of what is no error. */
export function warn(message: string): void {
  process.emitWarning(message, "EspalierWarning");
}
