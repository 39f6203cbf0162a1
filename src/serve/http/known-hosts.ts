import { BlockList, isIP } from "node:net";
import { EspalierError } from "../../errors/index.ts";
import { ApiError } from "../api-error/api-error.ts";

/**
 * Whether a server that listens there can be reached from its own machine alone. Of names only
 * `localhost` is known, and of addresses any whole one; what else leads there (`127.1`, a name of
 * `/etc/hosts`) is told by the address that is then listened to.
 */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === "localhost";
  return loopback.check(host, version === 4 ? "ipv4" : "ipv6");
}

/** Finds IPv4 addresses written as IPv6 (`::ffff:127.0.0.1`) as well. */
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Throws an `ApiError` where a request must not be made under this `Host`. */
export type HostCheck = (host: string | undefined) => void;

/**
 * Refuses requests that name another host than the server's: by its address, by a loopback name, or
 * by one of `hosts`. A web page can have the name it came from lead to the address of this server
 * (DNS rebinding); the browser then takes the server for a part of the page, and only `Host` tells.
 *
 * @param boundTo what the server listens to, by each name and address
 * @returns throws with 421
 * @throws EspalierError `option-invalid` for what can stand in no `Host`
 */
export function knownHosts({
  boundTo,
  hosts,
}: {
  readonly boundTo: readonly string[];
  readonly hosts: readonly string[];
}): HostCheck {
  const wrong = hosts.find((host) => !/^([a-z0-9_.-]+|\[[0-9a-f:.]+\])$/i.test(host));
  if (wrong !== undefined) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "A host cannot be allowed",
      expected: "a name such as `chat.example`, without protocol and port",
      got: `"${wrong}"`,
    });
  }
  const named = [...boundTo.map((each) => (each.includes(":") ? `[${each}]` : each)), ...hosts];
  const known = new Set(named.map((host) => host.toLowerCase()));
  return (given = "") => {
    // Not the port: tunnels and containers change it, and a page that was let in by its name has
    // the right one.
    const name = given.replace(/:\d*$/, "").toLowerCase();
    if (known.has(name) || isLoopback(name.replace(/^\[(.*)\]$/, "$1"))) return;
    throw new ApiError(
      421,
      "host_not_allowed",
      "The `Host` of the request is no name that this server was started with. Start it with `--allow-host NAME` for it.",
    );
  };
}
