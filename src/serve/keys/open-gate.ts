import type { Clock } from "../../internal/index.ts";
import type { KeyUsage } from "./key-usage.ts";
import { keyUsage } from "./key-usage.ts";
import type { Admission } from "../answer/admission.ts";
import { admission } from "../answer/admission.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { KeyGate } from "./key-gate.ts";
import { keyGate } from "./key-gate.ts";
import type { KeyLimits } from "./key-limits.ts";
import { checkKeyLimits } from "./key-limits.ts";
import { keyQuotas } from "./key-quotas.ts";
import type { ServerLog } from "../telemetry/server-log.ts";

export interface OpenedGate {
  readonly gate: KeyGate;
  readonly admission: Admission;
  /** Whether more than one API key may ask now. */
  readonly hasSeveralKeys: () => boolean;
}

/**
 * Everything between a request and its answer: keys with their limits, and slots for questions.
 *
 * @throws EspalierError `option-invalid` if limits of keys are out of range
 */
export function openGate({
  keys,
  keyLimits = {},
  usage = keyUsage(),
  slots,
  queue,
  clock,
  now,
  log,
}: {
  readonly keys: ApiKeys | undefined;
  readonly keyLimits: KeyLimits | undefined;
  readonly usage: KeyUsage | undefined;
  readonly slots: number;
  readonly queue: number;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: ServerLog;
}): OpenedGate {
  checkKeyLimits(keyLimits, "keyLimits");
  for (const name of keys?.names ?? []) {
    checkKeyLimits(keys?.limitsOf?.(name) ?? {}, `keys.limitsOf("${name}")`);
  }
  const quotas = keyQuotas({ keys, defaults: keyLimits, usage, clock, now });
  const hasSeveralKeys = (): boolean => (keys?.names.length ?? 0) > 1;
  const admitted = admission({
    slots,
    queue,
    concurrencyOf: quotas.concurrencyOf,
    hasSeveralKeys,
    clock,
  });
  const gate = keyGate({ keys, quotas, usage, admission: admitted, log });
  return { gate, admission: admitted, hasSeveralKeys };
}
