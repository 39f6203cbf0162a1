import { anyOnVal } from "../../../conformance/reference/index.ts";
import type { Parts } from "espalier/servers";
import declare from "../../../../optimizers/ails-ntua-recall.ts";
import { small } from "../support/small.ts";

/** Takes every proposal, so that what a run compiles has a lineage. */
export default async (parts: Parts) =>
  small(await declare(parts), {
    acceptance: { val: anyOnVal() },
  });
