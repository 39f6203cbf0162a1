/**
 * Serves the rehearsal LM in a process of its own, which `lm-process.ts` starts and kills. Sent a
 * number, the process kills itself upon the chat call of that number, however busy the machine is.
 */
import { randomInt } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { RehearsalServer } from "@espalier/rehearsal";
import { serveRehearsal } from "@espalier/rehearsal";

const [latencyMs = 0, port] = process.argv.slice(2).map(Number);

let chatCalls = 0;
let lastCall = Infinity;
subscribe("http.server.request.start", (message) => {
  const { request } = message as { readonly request: IncomingMessage };
  if (request.url !== "/v1/chat/completions") return;
  chatCalls++;
  dieWhenDue();
});
process.on("message", (calls: number) => {
  lastCall = calls;
  dieWhenDue();
});

const { url } = port === undefined ? await onFreePort() : await serveOn(port);
// Never outlives the process that started it.
process.once("disconnect", () => process.exit());
process.send?.(url);

/**
 * On a port below those that systems hand out on port 0: nobody else gets it while this process is
 * killed, not even a client's own connection.
 */
async function onFreePort(): Promise<RehearsalServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await serveOn(randomInt(20_000, 30_000));
    } catch (error) {
      if (attempt === 10 || !String(error).includes("EADDRINUSE")) throw error;
    }
  }
}

function serveOn(chosen: number): Promise<RehearsalServer> {
  return serveRehearsal({ port: chosen, latencyMs, keptCalls: 1 });
}

function dieWhenDue(): void {
  if (chatCalls >= lastCall) process.kill(process.pid, "SIGKILL");
}
