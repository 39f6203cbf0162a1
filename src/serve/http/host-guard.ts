import type { HostCheck } from "./known-hosts.ts";
import { isLoopback, knownHosts } from "./known-hosts.ts";

export interface HostGuard {
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
