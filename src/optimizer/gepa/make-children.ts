import type { Candidate } from "../../contract/index.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import { componentId } from "../candidate/candidate-record.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { PreparedProposal } from "./prepare-proposals.ts";
import type { Search } from "./search.ts";
import { noteTried } from "./search.ts";
import type { TextComponent } from "./strategy/text-component.ts";
import type { Draft, Written } from "./write-texts.ts";
import { draftsFor, refuseText, writeTexts } from "./write-texts.ts";

/** A child with new texts, on which no rollout was spent yet. */
export interface Child {
  readonly parent: CandidateRecord;
  readonly components: Candidate;
  /** Those with new texts, as the parent has them. */
  readonly changed: readonly TextComponent[];
  readonly exampleIds: readonly string[];
  /** What it learnt from. */
  readonly rollouts: readonly Rollout[];
  /** Whether these are the parent's, run for this; else they may be an ancestor's. */
  readonly isOwn: boolean;
}

/** Has new texts written, refuses those that no rollout should be spent on, and puts children together. */
export async function makeChildren(
  search: Search,
  proposals: readonly PreparedProposal[],
): Promise<readonly Child[]> {
  const drafts = draftsFor(search, proposals);
  if (drafts.length === 0) return [];
  const written = await writeTexts(search, drafts);
  const children: Child[] = [];
  for (const proposal of proposals) {
    const child = childOf(search, proposal, drafts, written);
    if (child !== null) children.push(child);
  }
  return children;
}

/** A child with the texts that were not refused; `null` when there are none. */
function childOf(
  search: Search,
  proposal: PreparedProposal,
  drafts: readonly Draft[],
  written: readonly (readonly Written[])[],
): Child | null {
  const { run, lessons, iteration } = search;
  const { parent, exampleIds, rollouts, isOwn } = proposal;
  const texts = new Map<TextComponent, string>();
  for (const [place, draft] of drafts.entries()) {
    if (draft.proposal !== proposal) continue;
    for (const one of written[place] ?? []) {
      if (one.ok) texts.set(draft.component, one.text);
      else refuseText(search, draft, one);
    }
    if (texts.has(draft.component)) continue;
    for (const rollout of rollouts.slice(0, 1)) lessons.fail([draft.component], rollout);
  }
  if (texts.size === 0) return null;
  for (const [component, text] of texts) noteTried(search, { ...component, value: text });
  run.emit({
    kind: "candidate-proposed",
    iteration,
    parents: Object.freeze([parent.id]),
    texts: Object.freeze(
      Object.fromEntries([...texts].map(([component, text]) => [componentId(component), text])),
    ),
  });
  const components = withTexts(parent, texts);
  return { parent, components, changed: [...texts.keys()], exampleIds, rollouts, isOwn };
}

function withTexts(
  { components }: CandidateRecord,
  texts: ReadonlyMap<TextComponent, string>,
): Candidate {
  const byId = new Map([...texts].map(([component, text]) => [componentId(component), text]));
  return components.map((held) => {
    const text = byId.get(componentId(held));
    return text === undefined ? held : ({ ...held, value: text } as typeof held);
  });
}
