import type { LanguageModel, Study } from "../../../../src/index.ts";
import { allowanceLimits } from "../../../../src/optimizer/index.ts";
import type { QueueRunner, StudyWorker } from "../../src/index.ts";
import { queueRunner, studyWorker } from "../../src/index.ts";
import type { Checkout } from "../../src/index.ts";
import type { StudyWorkerOptions } from "../../src/worker/study-worker-options.ts";

export const checkout: Checkout = {
  version: "0",
  program: { name: "tested" },
  prompts: "p",
  metric: { name: "tested" },
  modules: {},
  lms: {},
};

export interface WorkerGiven {
  readonly url: string;
  readonly study: Pick<Study, "program" | "trainset" | "objective">;
  readonly lm: LanguageModel;
  readonly judgeLm?: LanguageModel;
  readonly options?: Partial<StudyWorkerOptions>;
}

/** A worker in this process. */
export function worker({ url, study, lm, judgeLm, options }: WorkerGiven): Promise<StudyWorker> {
  const { program, trainset, objective } = study;
  return studyWorker({
    redis: { url },
    name: "tested",
    checkout,
    study: {
      program,
      metric: objective,
      examples: Object.values(trainset.splits).flat(),
      lm,
      lms: {},
      ...(judgeLm && { judgeLm }),
    },
    limits: ({ allowance, prices }) => allowanceLimits(allowance, prices),
    slots: 8,
    stallMs: 2_000,
    host: "here",
    pid: process.pid,
    onNote: () => {},
    ...options,
  });
}

export function runner(url: string, run = "run-of-a-test"): Promise<QueueRunner> {
  return queueRunner({ redis: { url }, run, study: "tested", checkout });
}
