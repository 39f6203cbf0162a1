import { writeToStderr } from "./terminal.ts";
import { joinLines } from "./join-lines.ts";

/**
 * Writes lines to standard error, in one write for each turn of the event loop: writing costs more
 * than formatting. Flushes the rest at exit.
 */
export function linesToStderr(): (line: string) => void {
  let waiting = "";
  const write = (): void => {
    const text = waiting;
    waiting = "";
    if (text !== "") writeToStderr(text);
  };
  process.once("exit", write);
  return (line) => {
    if (waiting === "") setImmediate(write);
    waiting += `${joinLines([line])}\n`;
  };
}
