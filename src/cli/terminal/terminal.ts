import { visibleText } from "../../internal/index.ts";
import { joinLines } from "./join-lines.ts";

/**
 * Prints to standard output. All output goes through here, so that no outside text controls a
 * terminal.
 */
export function print(text: string): void {
  console.log(visibleText(text));
}

/** Prints to standard error. */
export function printToStderr(text: string): void {
  console.error(visibleText(text));
}

/** Writes to standard error without adding a line feed. */
export function writeToStderr(text: string): void {
  process.stderr.write(visibleText(text));
}

/** Replaces the line that the cursor is on; standard error must be a terminal. */
export function replaceStderrLine(line: string): void {
  process.stderr.write(`\r${visibleText(joinLines([line]))}\u001b[K`);
}
