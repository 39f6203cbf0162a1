import { statSync } from "node:fs";
import { EspalierError } from "../../errors/index.ts";
import { checkedLine, endedLines } from "../../storage/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { DecisionLine } from "./journal-lines.ts";
import { runAdvice, runFolderFiles } from "./run-folder.ts";

/**
 * Takes the decisions of a journal one after the other, each with the number of its line. Each has
 * a checksum, so it is what a run wrote; here it is checked that none is missing, and that the
 * first one begins a run of this version.
 *
 * @throws EspalierError `file-malformed`
 */
export function journalEvents(
  path: string,
): (line: DecisionLine, number: number) => OptimizerEvent {
  let index = 0;
  return (event, number) => {
    const format = event.kind === "run-start" ? event.format : undefined;
    if (index === 0 && format !== journalFormat) {
      const isOther = /^espalier-journal\/\d+$/.test(String(format));
      throw notAJournal(path, JSON.stringify(event).slice(0, 80), isOther);
    }
    if (event.sequence !== index) {
      throw new EspalierError({
        code: "file-malformed",
        problem: "A run's journal lacks a line, or has one too many",
        where: `${path}:${number}`,
        expected: `sequence ${index}, because decisions are numbered without gaps`,
        got: String(event.sequence),
        fix: "Restore the file, or start a new run.",
      });
    }
    index++;
    return event;
  };
}

const journalFormat = "espalier-journal/5";

export function notAJournal(path: string, got: string, isOther = false): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: isOther
      ? "The run was written by another version of espalier"
      : "The file is not the journal of a run",
    where: path,
    expected: `"format": "${journalFormat}" in its first decision`,
    got,
    ...(isOther && { fix: "Use the espalier version that wrote it, or start a new run." }),
  });
}

/** What a run has decided since the last look. */
export interface JournalTail {
  next(): {
    /** Whether the file was replaced, as where a run goes on: the events begin with its first. */
    readonly isAnew: boolean;
    readonly events: readonly OptimizerEvent[];
  };
}

/**
 * Follows the journal of a run that another process works on: takes no lock, keeps no file open,
 * and reads each byte once.
 *
 * `next` throws `file-malformed` for a decision that is broken or of another version
 */
export function journalTail(folder: string): JournalTail {
  const path = runFolderFiles(folder).journal;
  let [file, bytes, number] = ["", 0, 0];
  let eventOf = journalEvents(path);
  return {
    next: () => {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined || stats.size === 0) return { isAnew: false, events: [] };
      const id = `${stats.dev} ${stats.ino} ${stats.birthtimeMs}`;
      const isOther = file !== id || stats.size < bytes;
      const isAnew = isOther && file !== "";
      if (isOther) [file, bytes, number, eventOf] = [id, 0, 0, journalEvents(path)];
      const events: OptimizerEvent[] = [];
      if (stats.size === bytes) return { isAnew, events };
      for (const line of endedLines(path, { from: bytes })) {
        bytes += line.length + 1;
        number++;
        // Replies may be long, and are many.
        if (!line.subarray(0, decisionStart.length).equals(decisionStart)) continue;
        const decision = checkedLine(line.toString("utf8"), `${path}:${number}`, runAdvice);
        events.push(eventOf(decision as DecisionLine, number));
      }
      return { isAnew, events };
    },
  };
}

/** How each decision begins, and no other line. */
const decisionStart = Buffer.from('{"sequence":');
