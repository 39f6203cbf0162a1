import type {
  Failure,
  LanguageModel,
  LmCallOptions,
  LmReply,
  LmRequest,
} from "../../contract/index.ts";
import { failureOf } from "../../errors/index.ts";
import type { Admission } from "./admission.ts";

/**
 * Makes a call under a cap, with room of its own for each request of it: one that is sent again
 * after a fault waits for room beside what the one before may have taken.
 */
export async function eachRequest(
  cap: Admission,
  lm: LanguageModel,
  {
    request,
    options,
    worst,
    actualOf,
    lostTo,
  }: {
    readonly request: LmRequest;
    readonly options: LmCallOptions | undefined;
    /** The most that one request can take. */
    readonly worst: number;
    readonly actualOf: (reply: LmReply) => number;
    /** What a request without a reply may have taken. */
    readonly lostTo: (fault: Pick<Failure, "code">) => number;
  },
): Promise<LmReply> {
  // What was made elsewhere was let through there.
  const isMade = options?.made !== undefined;
  let isAdmitted = false;
  const admit = async (): Promise<void> => {
    if (!isMade) await cap.admit(worst);
    isAdmitted = true;
  };
  const end = (actual: number): void => {
    isAdmitted = false;
    if (isMade) cap.add(actual);
    else cap.settle(worst, actual);
  };
  await admit();
  try {
    const reply = await lm.doGenerate(request, {
      ...options,
      onRetry: async (fault) => {
        end(lostTo(fault));
        await options?.onRetry?.(fault);
        await admit();
      },
    });
    end(actualOf(reply));
    return reply;
  } catch (error) {
    if (isAdmitted) {
      end(lostTo(failureOf(error, options?.signal?.aborted === true ? "aborted" : undefined)));
    }
    throw error;
  }
}
