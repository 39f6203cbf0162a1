import type { HostCheck } from "./known-hosts.ts";
import { isLoopback, knownHosts } from "./known-hosts.ts";

export interface HostGuard {
  readonly check: HostCheck;
  /** Until then the check is strict: where a name such as `127.1` leads is not known. */
  listensTo(address: string): void;
}

/**
 * Looks at the `Host` of requests where that protects anybody: with `hosts`, and without keys on an
 * address that only this machine can reach.
 *
 * @throws EspalierError `option-invalid` for what can stand in no `Host`
 */
export function hostGuard({
  host,
  hosts,
  hasKeys,
}: {
  /** As the server was told where to listen. */
  readonly host: string;
  readonly hosts: readonly string[];
  readonly hasKeys: boolean;
}): HostGuard {
  let check: HostCheck | undefined = knownHosts({ boundTo: [host], hosts });
  return {
    check: (given) => check?.(given),
    listensTo: (address) => {
      const isLooked = hosts.length > 0 || (!hasKeys && isLoopback(address));
      check = isLooked ? knownHosts({ boundTo: [host, address], hosts }) : undefined;
    },
  };
}
