import type { Candidate } from "../../../contract/index.ts";
import { componentId } from "../../../internal/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { Act, Decision } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import type { TextComponent } from "../../task/text-component.ts";
import type { SelectedProposal } from "./select.ts";
import type { Draft, Written } from "./write-texts.ts";
import { draftsFor, isFailure, writeTexts } from "./write-texts.ts";

/** A child with new texts, on which no rollout has been spent yet. */
export interface Child {
  readonly parent: CandidateRecord;
  readonly components: Candidate;
  /** The components with new texts, as the parent has them. */
  readonly changed: readonly TextComponent[];
  readonly exampleIds: readonly string[];
  /** The rollouts it learned from. */
  readonly rollouts: readonly Rollout[];
  /**
   * Whether these are the parent's own, run for this child; otherwise they may be an ancestor's.
   */
  readonly isOwn: boolean;
  /**
   * What its texts lose, such as a prohibition, as sentences: with any, it is accepted only if its
   * gain on val is more than chance explains.
   */
  readonly caveats: readonly string[];
}

/** Has new texts written, rejects those not worth a rollout, and builds children from the rest. */
export async function reflect(
  proposals: readonly SelectedProposal[],
  state: SearchState,
  { tools, act }: { readonly tools: Tools; readonly act: Act },
): Promise<readonly Child[]> {
  const drafts = draftsFor(proposals, state, tools);
  if (drafts.length === 0) return [];
  const written = await writeTexts(drafts, state, { tools, act });
  const texts = drafts.map(({ component }, place) => ({
    component: componentId(component),
    isFailure: isFailure(written[place]?.at(-1)),
  }));
  const made = proposals.map((proposal) => childOf(proposal, drafts, written));
  const children = made.flatMap(({ child }) => child ?? []);
  act([{ kind: "texts-written", texts }, ...made.flatMap(({ decisions }) => decisions)]);
  return children;
}

/** A child with the texts that were not rejected; `null` when there are none. */
function childOf(
  proposal: SelectedProposal,
  drafts: readonly Draft[],
  written: readonly (readonly Written[])[],
): { readonly child: Child | null; readonly decisions: readonly Decision[] } {
  const { parent, exampleIds, rollouts, isOwn } = proposal;
  const texts = new Map<TextComponent, string>();
  const caveats: string[] = [];
  const decisions: Decision[] = [];
  for (const [place, draft] of drafts.entries()) {
    if (draft.proposal !== proposal) continue;
    const { component } = draft;
    for (const one of written[place] ?? []) {
      if (one.ok) {
        texts.set(component, one.text);
        caveats.push(...one.caveats);
      } else decisions.push(rejectedText(draft, one));
    }
    if (texts.has(component)) continue;
    for (const rollout of rollouts.slice(0, 1)) {
      decisions.push({ kind: "lesson-failed", components: [component], rollout });
    }
  }
  if (texts.size === 0) {
    if (decisions.length > 0) decisions.push({ kind: "nothing-written" });
    return { child: null, decisions };
  }
  const changed = [...texts.keys()];
  decisions.push({
    kind: "proposed",
    parents: [parent.id],
    texts: Object.fromEntries(
      [...texts].map(([component, text]) => [componentId(component), text]),
    ),
  });
  const components = withTexts(parent, texts);
  const child = { parent, components, changed, exampleIds, rollouts, isOwn, caveats };
  return { child, decisions };
}

function rejectedText(
  { proposal, component }: Draft,
  { reason, detail, text }: Extract<Written, { readonly ok: false }>,
): Decision {
  const id = componentId(component);
  return {
    kind: "rejected",
    rejection: {
      parents: [proposal.parent.id],
      components: [id],
      reason,
      detail,
      ...(text === undefined ? {} : { texts: { [id]: text } }),
    },
  };
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
