import type { AheadRun, WorkAhead } from "../../contract/optimizer.ts";
import type { StepCounts, StepDone, StepWork, StepWorks } from "./step-work.ts";

/** A request of work ahead, on its way into a step. */
export interface RequestAhead {
  readonly work: StepWork<unknown>;
  /** Holds the result until the work may go on. */
  take(done: StepDone<unknown>): void;
  reject(reason: unknown): void;
}

/** The work of a run that is made ahead of its search. */
export interface WorksAhead {
  begin(work: (run: AheadRun) => Promise<void>): WorkAhead;
  /**
   * Lets all work go on, in the order in which it began, until each waits or has ended; returns the
   * requests that fit beside the counts of the search's own. Others are rejected.
   */
  join(counts: StepCounts): Promise<readonly RequestAhead[]>;
}

export function worksAhead(works: StepWorks, fits: (counts: StepCounts) => boolean): WorksAhead {
  const running: Passenger[] = [];
  return {
    begin: (work) => {
      const one = passenger(work, works);
      running.push(one);
      return {
        end: async () => {
          try {
            await one.end();
          } finally {
            if (running.includes(one)) running.splice(running.indexOf(one), 1);
          }
        },
      };
    },
    join: async (counts) => {
      let { metricCalls, reflectionCalls } = counts;
      const joined: RequestAhead[] = [];
      for (const one of running) {
        for (const request of await one.next()) {
          const more = request.work.counts;
          const together = {
            metricCalls: metricCalls + more.metricCalls,
            reflectionCalls: reflectionCalls + more.reflectionCalls,
          };
          if (!fits(together)) {
            request.reject(ended());
            continue;
          }
          ({ metricCalls, reflectionCalls } = together);
          joined.push(request);
        }
      }
      return joined;
    },
  };
}

/** Tells work ahead that a request of its own is not made. */
class EndOfWorkAhead extends Error {}

function ended(): EndOfWorkAhead {
  return new EndOfWorkAhead("The request is not made.");
}

interface Passenger {
  /** Delivers what was answered; returns the requests that wait after that. */
  next(): Promise<readonly RequestAhead[]>;
  end(): Promise<void>;
}

function passenger(work: (run: AheadRun) => Promise<void>, works: StepWorks): Passenger {
  const waiting: RequestAhead[] = [];
  const answers: (() => void)[] = [];
  let [isOver, isSettled] = [false, false];
  let failure: { readonly error: unknown } | undefined;
  let changed = Promise.withResolvers<void>();
  const request = async <TResult>(of: StepWork<TResult>): Promise<TResult> => {
    if (isOver) throw ended();
    const { promise, resolve, reject } = Promise.withResolvers<TResult>();
    waiting.push({
      work: of,
      take: ({ result }) => {
        answers.push(() => {
          changed = Promise.withResolvers();
          resolve(result as TResult);
        });
      },
      reject: (reason) => {
        changed = Promise.withResolvers();
        reject(reason);
      },
    });
    changed.resolve();
    return promise;
  };
  const run: AheadRun = {
    evaluate: (requests) => request(works.evaluate(requests)),
    ask: (predictor, calls, of) => request(works.ask(predictor, calls, of)),
    consult: (count, propose) => request(works.consult(count, propose)),
  };
  void work(run)
    .catch((error: unknown) => {
      if (!(error instanceof EndOfWorkAhead)) failure = { error };
    })
    .finally(() => {
      isSettled = true;
      changed.resolve();
    });
  const goOn = async (): Promise<void> => {
    for (const deliver of answers.splice(0)) deliver();
    if (waiting.length === 0 && !isSettled) await changed.promise;
  };
  return {
    next: async () => {
      await goOn();
      return waiting.splice(0);
    },
    end: async () => {
      isOver = true;
      await goOn();
      while (!isSettled) {
        for (const one of waiting.splice(0)) one.reject(ended());
        await changed.promise;
      }
      if (failure !== undefined) throw failure.error;
    },
  };
}
