import { visibleText } from "./visible-text.ts";
import { textOfLines } from "./text-of-lines.ts";

/** Prints lines on standard output: the only way there, so that no text from outside commands a terminal. */
export function print(text: string): void {
  console.log(visibleText(text));
}

/** The same on standard error. */
export function tell(text: string): void {
  console.error(visibleText(text));
}

/** The same as it stands, without an end of line. */
export function tellWithoutEnd(text: string): void {
  process.stderr.write(visibleText(text));
}

/** Puts one line in the place of the one that the cursor is in; for a terminal alone. */
export function tellInPlace(line: string): void {
  process.stderr.write(`\r${visibleText(textOfLines([line]))}\u001b[K`);
}
