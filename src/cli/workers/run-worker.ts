import { once } from "node:events";
import { hostname } from "node:os";
import { withoutCredentials } from "../../internal/index.ts";
import { allowanceLimits } from "../../optimizer/index.ts";
import { workersPackage } from "../packages/workers-package.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { redisAddress } from "../arguments/shared-arguments.ts";
import { announceParts, openLms } from "../lm/open-lms.ts";
import { runServers } from "../lm/run-servers.ts";
import { chooseStudy } from "../load/choose-study.ts";
import { recordedModules } from "../load/recorded-modules.ts";
import { printToStderr } from "../terminal/terminal.ts";
import { studyCheckout } from "./study-checkout.ts";
import type { WorkerGiven } from "./worker-arguments.ts";

/** Serves until it is told to end: then it ends its examples, and takes no more. */
export async function runWorker(given: WorkerGiven): Promise<void> {
  const { studyWorker } = await workersPackage();
  const slots = wholeNumber("concurrency", given.concurrency, 1);
  const stallMs = 1000 * wholeNumber("lost-after", given["lost-after"], 1);
  const modules = recordedModules();
  const servers = await runServers(given, { roles: ["judge"] });
  const study = await chooseStudy(given.study, {
    trainset: given.trainset,
    parts: servers.parts,
    mlflow: given.mlflow,
  });
  const { program, objective, trainset, optimizer } = study;
  await using opened = await openLms(servers, given, { programs: [program] });
  announceParts(opened);
  using interrupt = abortOnInterrupt(undefined, "finishing the examples in flight, taking no more");
  const { signal } = interrupt;
  await using worker = await studyWorker({
    redis: redisAddress(given.redis),
    name: study.name,
    checkout: studyCheckout(study, opened, { path: given.study, modules }),
    study: {
      program,
      metric: objective,
      examples: Object.values(trainset.splits).flat(),
      lm: opened.lm,
      lms: opened.lms,
      judgeLm: opened.judgeLm,
      teacherLm: optimizer?.teacherLm,
    },
    limits: ({ allowance, prices }) => allowanceLimits(allowance, prices),
    slots,
    stallMs,
    host: hostname(),
    pid: process.pid,
    onNote: printToStderr,
  });
  const { id } = worker;
  printToStderr(`Worker ${id} is serving ${study.name} at ${withoutCredentials(given.redis)}.`);
  if (!signal.aborted) await once(signal, "abort");
  await worker.drain();
  printToStderr(`Worker ${id} has ended.`);
}
