/** Runs in a thread of its own: reads and compares what a studio shows. */
import { parentPort, workerData } from "node:worker_threads";
import { answerInThread } from "../../studio/files.ts";
import { readSource } from "../compare/read-source.ts";
import type { StudioThreadData } from "./start-thread.ts";
import type { Study } from "../../study/index.ts";
import { loadStudy, variantOf } from "../load/choose-study.ts";
import { unaskedParts } from "../lm/unasked-parts.ts";

if (parentPort === null) throw new Error("This module is the entry of a worker thread.");
const { studies } = workerData as StudioThreadData;
answerInThread(parentPort, { readSource, studiesOn: namedStudies(studies) });

/**
 * Loads the studies of these files, once. On the name of a trainset it has their variants on it,
 * made once; a study without such a variant stays as it is.
 */
function namedStudies(
  paths: readonly string[],
): (trainset: string | undefined) => Promise<readonly Study[]> {
  let loaded: Promise<readonly Study[]> | undefined;
  const variants = new Map<string, Promise<readonly Study[]>>();

  const load = async (): Promise<readonly Study[]> => {
    const parts = await unaskedParts();
    return Promise.all(paths.map((path) => loadStudy(path, parts)));
  };
  const on = async (trainset: string): Promise<readonly Study[]> => {
    const studies = await (loaded ??= load());
    return Promise.all(
      studies.map(async (study) =>
        Object.hasOwn(study.variants ?? {}, trainset) ? variantOf(study, trainset) : study,
      ),
    );
  };
  return (trainset) => {
    if (trainset === undefined) return (loaded ??= load());
    const held = variants.get(trainset) ?? on(trainset);
    variants.set(trainset, held);
    return held;
  };
}
