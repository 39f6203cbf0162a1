import { messageOf } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { ReplicaChange, ServerList } from "../../lm/index.ts";
import { isListAddress, serverList } from "../../lm/files.ts";
import { printToStderr } from "../terminal/terminal.ts";

/** A list of servers that remembers who they were last. */
export interface WatchedList extends ServerList {
  /** Whether it is to be read again. */
  readonly mayChange: boolean;
  now(): readonly string[];
}

/** Says on standard error, once for each reason, that the list cannot be read again. */
export function watchedList(addresses: readonly string[]): WatchedList {
  const list = serverList(addresses);
  let last: readonly string[] = [];
  let announced: string | undefined;
  return {
    mayChange: addresses.some(isListAddress),
    now: () => last,
    read: async () => {
      try {
        const urls = await list.read();
        last = urls;
        announced = undefined;
        return urls;
      } catch (error) {
        const reason = messageOf(error);
        if (last.length > 0 && reason !== announced) {
          printToStderr(`The servers stay as they are: ${reason}`);
        }
        announced = reason;
        throw error;
      }
    },
  };
}

/** Says on standard error who joins, leaves, or cannot be used, and why. */
export function printChange({ name, what, fault }: ReplicaChange): void {
  const server = withoutCredentials(name);
  if (what === "refused") {
    const reason = fault === undefined ? "It says that it is not healthy." : messageOf(fault);
    printToStderr(`${server} does not join: ${reason}`);
  } else if (what === "joined") printToStderr(`${server} joined.`);
  else if (what === "leaving") printToStderr(`${server} leaves: it gets no new calls.`);
  else printToStderr(`${server} left.`);
}
