const key = Symbol.for("espalier.opened");
const shared = globalThis as { [key]?: Set<Disposable | AsyncDisposable> };

/**
 * What is open in this process, in all installed copies of the package, and must not outlive the
 * command that runs: it closes them when it is done.
 */
export const opened: Set<Disposable | AsyncDisposable> = (shared[key] ??= new Set());
