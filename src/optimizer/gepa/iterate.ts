import type { StopReason } from "../contract/optimizer-event.ts";
import { confirmBest } from "./confirm-best.ts";
import { makeChildren } from "./make-children.ts";
import { judgeChildren } from "./judge-children.ts";
import { mergeCandidates } from "./merge-candidates.ts";
import { prepareProposals } from "./prepare-proposals.ts";
import type { Search } from "./search.ts";

/**
 * One iteration: a merge where one is due and possible, else proposals by reflection. Gives the reason
 * why the run must end, or `null`.
 */
export async function iterate(search: Search): Promise<StopReason | null> {
  const { run, candidates } = search;
  search.iteration++;
  const before = candidates.length;
  run.emit({ kind: "iteration-start", iteration: search.iteration });
  const reason = await work(search);
  if (search.isBestInDoubt) {
    search.isBestInDoubt = false;
    await confirmBest(search);
  }
  const accepted = Object.freeze(candidates.slice(before).map(({ id }) => id));
  run.emit({ kind: "iteration-end", iteration: search.iteration, accepted });
  if (accepted.length > 0) {
    search.idle = 0;
    run.checkpoint();
  }
  return reason;
}

async function work(search: Search): Promise<StopReason | null> {
  if (await mergeCandidates(search)) return null;
  const prepared = await prepareProposals(search);
  if (prepared.isOverBudget) return "budget";
  const children = await makeChildren(search, prepared.proposals);
  if (children.length === 0) search.idle++;
  else await judgeChildren(search, children);
  return null;
}
