import { LmError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { ServerInfo, ServerInfoOptions } from "../../lm/index.ts";
import { serverInfo } from "../../lm/index.ts";
import { tell } from "../terminal/terminal.ts";

/**
 * What the first server that answers says of itself. One of several may be down for now, and is
 * named on standard error; one that answers and is not what was asked for is an error of the
 * command line.
 *
 * @throws LmError of the last where none can be reached
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
        tell(`${withoutCredentials(baseUrls[place] ?? "")} does not answer for now.`);
      }
    }
  }
  const [first] = found;
  if (first === undefined) throw fault;
  return first;
}
