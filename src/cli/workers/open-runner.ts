import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { LanguageModel, LmReply } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { cached, withLedger, remoteCall } from "../../lm/index.ts";
import { repliesIn, runFolderFiles } from "../../optimizer/files.ts";
import { drawnName } from "../../storage/index.ts";
import type { QueueRunner } from "../packages/workers-package.ts";
import { workersPackage } from "../packages/workers-package.ts";
import type { Study } from "../../study/index.ts";
import { redisAddress } from "../arguments/shared-arguments.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import type { RecordedModules } from "../load/recorded-modules.ts";
import { printToStderr } from "../terminal/terminal.ts";
import { studyCheckout } from "./study-checkout.ts";

export interface RunnerGiven {
  /** Absent: examples run in this process. */
  readonly redis?: string | undefined;
  readonly study: string;
  readonly "allow-side-effects": boolean;
}

/** @throws EspalierError `usage-invalid` */
export function checkRunner({ redis, "allow-side-effects": allowed }: RunnerGiven): void {
  if (redis === undefined || !allowed) return;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "--allow-side-effects cannot be combined with --redis",
    expected:
      "one of them: the work of a lost worker runs again, so its side effects could happen twice",
  });
}

/** The runner that the command line asks for; absent: this process. */
export async function openRunner(
  given: RunnerGiven,
  {
    study,
    modules,
    opened,
    runFolder,
  }: {
    /** As its file declares it, without a candidate. */
    readonly study: Study;
    readonly modules: RecordedModules | undefined;
    readonly opened: OpenedLms;
    /** Absent: nothing can be resumed. */
    readonly runFolder?: string;
  },
): Promise<QueueRunner | undefined> {
  const { redis, study: path } = given;
  if (redis === undefined || modules === undefined) return undefined;
  const run =
    runFolder === undefined
      ? randomUUID()
      : await drawnName(runFolderFiles(runFolder).queue, {
          format: "espalier-queue/1",
          whose: "on Redis",
        });
  const { queueRunner } = await workersPackage();
  return queueRunner({
    redis: redisAddress(redis),
    run: run.replaceAll("-", "").slice(0, 16),
    study: study.name,
    checkout: studyCheckout(study, opened, { path, modules }),
    ...(runFolder !== undefined && { replies: () => recordedReplies(runFolder) }),
    onNote: printToStderr,
    onIdle: (refusals) => {
      const command = `espalier worker ${path} --redis ${withoutCredentials(redis)} --lm URL`;
      printToStderr(
        ["No worker serves this run yet.", ...refusals, `Start one: ${command}`].join("\n"),
      );
    },
  });
}

/** Counts what workers asked an LM, each call that was paid for once. */
export function countedLm(lm: LanguageModel, costs: Ledger): LanguageModel {
  return withLedger(cached(remoteCall(lm), new Map<string, LmReply>()), costs);
}

function* recordedReplies(runFolder: string): Generator<readonly [string, LmReply]> {
  const { journal, reportReplies } = runFolderFiles(runFolder);
  for (const path of [journal, reportReplies]) if (existsSync(path)) yield* repliesIn(path);
}
