import { resolve } from "node:path";

export interface OddServer {
  /** By cursor: the place in the list. @default one page with the tool `look` */
  readonly pages?: readonly OddPage[];
  /** What the list is after the first call, of which the server tells. */
  readonly laterPages?: readonly OddPage[];
  readonly listError?: string;
  /** What a call returns, or the error of the protocol, by the tool's own name. @default "ok" */
  readonly results?: Readonly<Record<string, object>>;
  readonly ends?: "at-start" | "in-call" | "never-answers";
  readonly isDeaf?: boolean;
  /** Written to standard error at the start. */
  readonly words?: string;
  /** A file that gets a line with the id of each process. */
  readonly pids?: string;
}

interface OddPage {
  readonly tools: readonly object[];
  readonly nextCursor?: string | null;
}

/** How to start it. */
export function oddMcp(odd: OddServer, ...args: readonly string[]) {
  const file = resolve(import.meta.dirname, "odd-mcp-server.ts");
  return { command: process.execPath, args: [file, JSON.stringify(odd), ...args] };
}

export const readOnly = { annotations: { readOnlyHint: true } } as const;

/** Resolves once no process has this id. */
export async function endOf(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((soon) => setTimeout(soon, 20));
  }
}
