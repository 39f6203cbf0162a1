import type { Study } from "../../study/index.ts";
import { variantOf } from "../load/choose-study.ts";
import { loadStudy } from "../load/load-study.ts";
import { unaskedParts } from "../lm/unasked-parts.ts";

/**
 * Loads the studies of these files, once. On the name of a trainset it has their variants on it,
 * made once; a study without such a variant stays as it is.
 */
export function namedStudies(
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
