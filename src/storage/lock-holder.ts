import { statSync } from "node:fs";
import { hostname, uptime } from "node:os";
import { DatabaseSync } from "node:sqlite";

/** Who holds a lock, as far as its note tells: this cannot be known of another machine. */
export type LockHolder = "a process of this machine" | "another machine" | "nobody";

/**
 * Whether a process that lives holds a file that `fileLock` locked, by the note in it: reads the
 * file only, and neither takes the lock nor makes its holder wait.
 */
export function lockHolder(path: string): LockHolder {
  const note = noteIn(path);
  if (note === null) return "nobody";
  if (note.host !== hostname()) return "another machine";
  return isAliveSince(note.pid, note.notedMs) ? "a process of this machine" : "nobody";
}

function noteIn(
  path: string,
): { readonly pid: number; readonly host: string; readonly notedMs: number } | null {
  try {
    const { mtimeMs } = statSync(path);
    using database = new DatabaseSync(path, { readOnly: true, timeout: 100 });
    const row = database.prepare("SELECT pid, host FROM holder").get();
    return row ? { pid: Number(row["pid"]), host: String(row["host"]), notedMs: mtimeMs } : null;
  } catch {
    return null;
  }
}

/** A process that began after the note was written has only inherited the number. */
function isAliveSince(pid: number, notedMs: number): boolean {
  if (notedMs < Date.now() - uptime() * 1000 - clockSlackMs) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Of another user, but there.
    return (error as { readonly code?: string }).code === "EPERM";
  }
  const begun = statSync(`/proc/${pid}`, { throwIfNoEntry: false });
  return begun === undefined || begun.ctimeMs <= notedMs + clockSlackMs;
}

const clockSlackMs = 5_000;
