import type { LmReply } from "../../../../src/contract/index.ts";
import type { Checkout } from "../job/checkout.ts";
import type { RedisAddress } from "../redis/redis-address.ts";

export interface QueueRunnerOptions {
  readonly redis: RedisAddress;
  /** Tells runs apart; a resumed run has the same, so that it finds what it left. */
  readonly run: string;
  /** Name of the study. */
  readonly study: string;
  readonly checkout: Checkout;
  /**
   * Replies that the run has on file, by call key: workers answer from them. Asked again if Redis
   * loses its data. @default none
   */
  readonly replies?: () => Iterable<readonly [key: string, reply: LmReply]>;
  /** Is told, in sentences, that Redis has been away for a while, and that it is back. */
  readonly onNote?: (note: string) => void;
  /** Is told once if no worker has come after a while. */
  readonly onIdle?: (refusals: readonly string[]) => void;
}
