import type { RunComparison } from "../../report/index.ts";
import { writeFileAtomic } from "../../storage/index.ts";

/** Writes a comparison as one page. */
export async function writePage(file: string, comparison: RunComparison): Promise<void> {
  const { reportPage } = await import("../../report-page/index.ts");
  await writeFileAtomic(file, reportPage(comparison));
}
