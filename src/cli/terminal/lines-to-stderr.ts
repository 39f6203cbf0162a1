import { tellWithoutEnd } from "./terminal.ts";
import { textOfLines } from "./text-of-lines.ts";

/**
 * Writes lines to standard error, those of one turn of the event loop at once: a write takes longer than
 * to make the line. What is left at the exit is written then.
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
