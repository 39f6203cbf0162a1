import { isIPv4 } from "node:net";
import { EspalierError } from "../../errors/index.ts";
import { ApiError } from "./api-error.ts";

/** Whether a server that listens there can be reached from its own machine alone. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

/**
 * Refuses requests that name another host than the server's: by its address, by a loopback name, or by
 * one of `hosts`. A web page can have the name it came from lead to the address of this server (DNS
 * rebinding); the browser then takes the server for a part of the page, and only `Host` tells.
 *
 * @param boundTo what the server listens to
 * @returns throws ApiError 421
 * @throws EspalierError `option-invalid` for what can stand in no `Host`
 */
export function knownHosts({
  boundTo,
  hosts,
}: {
  readonly boundTo: string;
  readonly hosts: readonly string[];
}): (host: string | undefined) => void {
  const wrong = hosts.find((host) => !/^([a-z0-9_.-]+|\[[0-9a-f:.]+\])$/i.test(host));
  if (wrong !== undefined) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "A host cannot be allowed",
      expected: "a name such as `chat.example`, without protocol and port",
      got: `"${wrong}"`,
    });
  }
  const named = ["[::1]", boundTo.includes(":") ? `[${boundTo}]` : boundTo, ...hosts];
  const known = new Set(named.map((host) => host.toLowerCase()));
  return (given = "") => {
    // Not the port: tunnels and containers change it, and a page that was let in by its name has the right one.
    const name = given.replace(/:\d*$/, "").toLowerCase();
    if (known.has(name) || isLoopback(name)) return;
    throw new ApiError(
      421,
      "host_not_allowed",
      "The `Host` of the request is no name of this server. Ask it at its address, or start it with `--allow-host NAME`.",
    );
  };
}
