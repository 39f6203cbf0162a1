import { BlockList, isIP } from "node:net";
import { EspalierError } from "../../errors/index.ts";
import { ApiError } from "../api-error/api-error.ts";

/**
 * Whether only its own machine can reach a server that listens there. Recognizes the name
 * `localhost` and complete addresses; for anything else that leads there (`127.1`, a name of
 * `/etc/hosts`), check the address that the server listens to.
 */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === "localhost";
  return loopback.check(host, version === 4 ? "ipv4" : "ipv6");
}

/** Also matches IPv4 addresses written as IPv6 (`::ffff:127.0.0.1`). */
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Throws an `ApiError` if a request must not be made under this `Host`. */
export type HostCheck = (host: string | undefined) => void;

/**
 * Refuses requests whose `Host` is not the server's address, a loopback name, or one of `hosts`. A
 * web page can make its own host name resolve to the address of this server (DNS rebinding); the
 * browser then treats the server as part of the page, and only `Host` reveals it.
 *
 * @param boundTo names and addresses that the server listens to
 * @returns a check that throws with 421
 * @throws EspalierError `option-invalid` for a name that is not valid in `Host`
 */
function knownHosts({
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
      problem: "An allowed host is invalid",
      expected: "a name such as `chat.example`, without protocol or port",
      got: `"${wrong}"`,
    });
  }
  const named = [...boundTo.map((each) => (each.includes(":") ? `[${each}]` : each)), ...hosts];
  const known = new Set(named.map((host) => host.toLowerCase()));
  return (given = "") => {
    // Ignore the port: tunnels and containers change it, and a page that is allowed by its name has
    // the right one.
    const name = given.replace(/:\d*$/, "").toLowerCase();
    if (known.has(name) || isLoopback(name.replace(/^\[(.*)\]$/, "$1"))) return;
    throw new ApiError(
      421,
      "host_not_allowed",
      "The `Host` of the request is not allowed. Start the server with `--allow-host NAME` to allow it.",
    );
  };
}

interface HostGuard {
  readonly check: HostCheck;
  /**
   * Until this call the check is strict, because the target of a name such as `127.1` is unknown.
   */
  setAddress(address: string): void;
}

/**
 * Checks the `Host` of requests where the check gives protection: with `hosts`, and without keys on
 * an address that only this machine can reach.
 *
 * @throws EspalierError `option-invalid` for a name that is not valid in `Host`
 */
export function hostGuard({
  host,
  hosts,
  hasKeys,
}: {
  /** The host as configured. */
  readonly host: string;
  readonly hosts: readonly string[];
  readonly hasKeys: boolean;
}): HostGuard {
  let check: HostCheck | undefined = knownHosts({ boundTo: [host], hosts });
  return {
    check: (given) => check?.(given),
    setAddress: (address) => {
      const isChecked = hosts.length > 0 || (!hasKeys && isLoopback(address));
      check = isChecked ? knownHosts({ boundTo: [host, address], hosts }) : undefined;
    },
  };
}
