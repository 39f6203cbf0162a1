import { tellWithoutEnd } from "./terminal.ts";
import { textOfLines } from "./text-of-lines.ts";

/**
 * Writes lines to standard error, in one write for each turn of the event loop: writing costs more
 * than formatting. Flushes the rest at exit.
 */
export function linesToStderr(): (line: string) => void {
  let waiting = "";
  const write = (): void => {
    const text = waiting;
    waiting = "";
    if (text !== "") tellWithoutEnd(text);
  };
  process.once("exit", write);
  return (line) => {
    if (waiting === "") setImmediate(write);
    waiting += `${textOfLines([line])}\n`;
  };
}
