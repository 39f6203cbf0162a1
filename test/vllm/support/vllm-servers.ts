import type { ServerName, VllmAddress } from "./server-kinds.ts";
import { endOf } from "../../support/python/run-logged.ts";
import { serverFolders } from "./server-folders.ts";
import type { ServerFolders, ServerProcess } from "./server-process.ts";
import { startServer } from "./server-process.ts";
import { say } from "../../support/python/test-cache.ts";

/** Each takes about 2.5 GiB; a system with all its parts needs three at a time. */
const maxServers = 3;

export interface VllmServers extends AsyncDisposable {
  /** Starts the server unless it runs; may end the one that was asked for longest ago. */
  address(name: ServerName): Promise<VllmAddress>;
}

/**
 * Installs vLLM and makes models where that has not been done, and starts servers when asked.
 *
 * @throws UnavailableError
 */
export async function vllmServers(): Promise<VllmServers> {
  const folders = await serverFolders();
  const pool = serverPool(folders);
  return {
    address: pool.address,
    [Symbol.asyncDispose]: async () => {
      await pool[Symbol.asyncDispose]();
      folders[Symbol.dispose]();
    },
  };
}

function serverPool(folders: ServerFolders): VllmServers {
  /** In the order in which they were last asked for. */
  const running = new Map<ServerName, ServerProcess>();
  let previous: Promise<unknown> = Promise.resolve();

  async function end(name: ServerName): Promise<void> {
    const server = running.get(name);
    running.delete(name);
    await server?.[Symbol.asyncDispose]();
  }

  async function addressOf(name: ServerName): Promise<VllmAddress> {
    let server = running.get(name);
    if (server?.hasEnded === true) {
      say(`${name} has ended by itself and is started again. Its log:\n${endOf(server.log)}`);
      server = undefined;
    }
    running.delete(name);
    const [oldest] = running.keys();
    if (running.size >= maxServers && oldest !== undefined) await end(oldest);
    server ??= await startServer(name, folders);
    running.set(name, server);
    return server.address;
  }

  return {
    // One after the other: two starts at once take longer than the two in turn.
    address: (name) => {
      const address = previous.then(() => addressOf(name));
      previous = address.catch(() => undefined);
      return address;
    },
    [Symbol.asyncDispose]: async () => {
      for (const name of running.keys()) await end(name);
    },
  };
}
