import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** In the order of their paths, so that files of one server's folder follow each other. */
export class ByPath extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
  }
}
