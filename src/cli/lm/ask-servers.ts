import { LmError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { ServerInfo, ServerInfoOptions } from "../../lm/index.ts";
import { serverInfo } from "../../lm/index.ts";
import { printToStderr } from "../terminal/terminal.ts";

/**
 * Describes the first server that responds. One of several may be down: standard error names it. A
 * server that responds but is not what the user asked for fails the command.
 *
 * @throws LmError the last one, if no server responds
 */
export async function askServers(
  baseUrls: readonly [string, ...string[]],
  options: Omit<ServerInfoOptions, "baseUrl">,
): Promise<ServerInfo> {
  const answers = await Promise.allSettled(
    baseUrls.map((baseUrl) => serverInfo({ ...options, baseUrl })),
  );
  const found: ServerInfo[] = [];
  let fault: unknown;
  for (const [place, answer] of answers.entries()) {
    if (answer.status === "fulfilled") found.push(answer.value);
    else {
      fault = answer.reason;
      if (!LmError.isInstance(fault) || !fault.isRetryable) throw fault;
      if (baseUrls.length > 1) {
        printToStderr(`${withoutCredentials(baseUrls[place] ?? "")} is not responding.`);
      }
    }
  }
  const [first] = found;
  if (first === undefined) throw fault;
  return first;
}
