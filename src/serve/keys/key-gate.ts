import { failureOf, messageOf } from "../../errors/index.ts";
import type { Admission } from "../answer/admission.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { ServerLog } from "../telemetry/server-log.ts";

/** Admits requests by key. */
export interface KeyGate {
  /**
   * The name of the key of a request; `undefined` on a server without keys. Checks again at each
   * call, since a key may be revoked while a body is on its way.
   *
   * @throws ApiError 401
   */
  readonly nameOf: (request: Request) => string | undefined;
  /** Whether more than one API key may ask now. */
  readonly hasSeveralKeys: () => boolean;
  /** Fields of `/ready`, none of which makes the server unready; empty on a server without keys. */
  readonly informational: Readonly<Record<string, () => string>>;
  /** Applies changes of keys until disposed of. */
  watch(admission: Pick<Admission, "dismiss">): Disposable | undefined;
}

export function keyGate(keys: ApiKeys | undefined, log: ServerLog): KeyGate {
  let fault: string | null = null;
  return {
    nameOf: (request) => keys?.nameOf(request.headers.get("authorization") ?? undefined),
    hasSeveralKeys: () => (keys?.names.length ?? 0) > 1,
    informational: keys === undefined ? {} : { keys: () => fault ?? "ok" },
    watch: (admission) =>
      keys?.watch?.({
        onChanged: ({ revoked }) => {
          fault = null;
          log("keys-changed", { keys: keys.names.length, revoked: [...revoked] });
          admission.dismiss(revoked);
        },
        onFault: (error) => {
          fault = failureOf(error).code;
          log("keys-unusable", { problem: messageOf(error) });
        },
      }),
  };
}
