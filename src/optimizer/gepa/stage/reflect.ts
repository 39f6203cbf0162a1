import type { Candidate, Component } from "../../../contract/index.ts";
import { componentId } from "../../../internal/index.ts";
import type { RejectionReason } from "../../candidate/candidate-record.ts";
import { componentText, predictorOf } from "../../candidate/components.ts";
import type { SelectedProposal } from "./select.ts";
import type { Search } from "../state/search.ts";
import { reflectiveCases } from "../../proposal/case/reflective-cases.ts";
import type { CheckedText } from "../../proposal/checked-text.ts";
import { checkedText, rejectedText } from "../../proposal/checked-text.ts";
import type { ProposalRequest, ProposedText } from "../../proposal/proposer.ts";
import type { TextComponent } from "../../task/search-space.ts";

/** A child with new texts for all of `changed`, on which no rollout has been spent yet. */
export interface Child extends SelectedProposal {
  readonly components: Candidate;
  /**
   * What its texts lose, such as a prohibition, as sentences: with any, it is accepted only if its
   * gain on val is more than chance explains.
   */
  readonly caveats: readonly string[];
}

/** Has new texts written, rejects those not worth a rollout, and builds children from the rest. */
export async function reflect(
  proposals: readonly SelectedProposal[],
  search: Search,
): Promise<readonly Child[]> {
  const drafts = draftsFor(proposals, search);
  if (drafts.length === 0) return [];
  await writeTexts(drafts, search);
  for (const { component, attempts } of drafts) {
    const last = attempts.at(-1);
    search.textWritten(componentId(component), last?.ok === false && last.isFailure);
  }
  return proposals.flatMap((proposal) => {
    const own = drafts.filter((draft) => draft.proposal === proposal);
    return childOf(proposal, own, search) ?? [];
  });
}

/** A child with the texts that were not rejected; `null` when there are none. */
function childOf(
  proposal: SelectedProposal,
  drafts: readonly Draft[],
  search: Search,
): Child | null {
  const { parent, rollouts } = proposal;
  const texts = new Map<TextComponent, string>();
  const caveats: string[] = [];
  for (const { component, attempts } of drafts) {
    for (const one of attempts) {
      if (one.ok) {
        texts.set(component, one.text);
        caveats.push(...one.caveats);
      } else search.reject(rejectedText(component, one, [parent.id]));
    }
    const [addressed] = rollouts;
    if (!texts.has(component) && addressed !== undefined) {
      search.evidence.lessons.fail([component], addressed);
    }
  }
  if (texts.size === 0) return null;
  const byId = Object.fromEntries(
    [...texts].map(([component, text]) => [componentId(component), text]),
  );
  search.propose([parent.id], byId);
  const components = parent.components.map((held) => {
    const text = byId[componentId(held)];
    return text === undefined ? held : ({ ...held, value: text } as typeof held);
  });
  return { ...proposal, components, changed: [...texts.keys()], caveats };
}

/** A text to be written for a proposal. */
interface Draft {
  readonly proposal: SelectedProposal;
  readonly component: TextComponent;
  readonly request: ProposalRequest;
  /** What was written; the last one counts. */
  readonly attempts: CheckedText[];
}

/**
 * The texts that proposals request; the last ones are dropped if the budget does not cover them.
 */
function draftsFor(proposals: readonly SelectedProposal[], search: Search): readonly Draft[] {
  const drafts = proposals.flatMap((proposal, index) => draftsOf(proposal, index, search));
  let count = drafts.length;
  while (count > 1 && !search.run.fits({ rollouts: 0, reflectionCalls: count })) count--;
  return drafts.slice(0, count);
}

function draftsOf(
  proposal: SelectedProposal,
  index: number,
  { iteration, space }: Search,
): readonly Draft[] {
  const { parent, changed, rollouts } = proposal;
  return changed.flatMap((component) => {
    const cases = reflectiveCases(rollouts, predictorOf(component));
    if (cases.length === 0) return [];
    const suffix = [
      ...(index === 0 ? [] : [index]),
      ...(changed.length === 1 ? [] : [component.path]),
    ];
    const request: ProposalRequest = {
      id: [`iteration-${iteration}`, ...suffix].join("/"),
      component,
      place: space.describe(component),
      candidate: parent.components,
      cases,
    };
    return [{ proposal, component, request, attempts: [] }];
  });
}

/** Requests all texts side by side, and requests rejected ones again. */
async function writeTexts(drafts: readonly Draft[], search: Search): Promise<void> {
  const { run, settings, ownLabels } = search;
  const { proposer, checks, secondTries } = settings.reflection;
  let asked = drafts.map((draft) => ({ ...draft, id: draft.request.id }));
  for (let attempt = 1; ; attempt++) {
    const texts = await proposer.propose(
      asked.map(({ request }) => request),
      run,
    );
    search.textsRequested();
    for (const [index, { component, request, attempts }] of asked.entries()) {
      const isTried = (text: string): boolean => search.tried.has(component, text);
      const given = { checks, isTried, labels: ownLabels };
      attempts.push(checkedText(texts[index] as ProposedText, request, given));
    }
    if (attempt > secondTries) return;
    asked = asked.flatMap((draft) => {
      const last = draft.attempts.at(-1);
      if (last === undefined || last.ok || last.text === undefined) return [];
      const { text, detail } = last;
      const refused = [{ text, detail }, ...(draft.request.refused ?? [])];
      const request = { ...draft.request, id: `${draft.id}/again-${attempt}`, refused };
      return [{ ...draft, request }];
    });
    if (asked.length === 0 || !run.fits({ rollouts: 0, reflectionCalls: asked.length })) return;
  }
}

/** Reasons that come after rollouts which say something of a child's texts. */
const trials: ReadonlySet<RejectionReason> = new Set([
  "not-better",
  "not-better-on-val",
  "not-selected",
]);

/** Rejects a child; the example that it addresses is skipped for a while. */
export function rejectChild(
  search: Search,
  child: Child,
  reason: RejectionReason,
  detail: string,
): void {
  const [addressed] = child.rollouts;
  if (addressed !== undefined) search.evidence.lessons.fail(child.changed, addressed);
  const tried = newIn(child);
  for (const component of trials.has(reason) ? tried : []) {
    search.tried.add(component, reason === "not-better-on-val" && tried.length === 1);
  }
  dropChild(search, child, reason, detail);
}

/** Rejects a child that was not tried: its texts and the example that it addresses stay open. */
export function dropChild(
  search: Search,
  child: Child,
  reason: RejectionReason,
  detail: string,
): void {
  const tried = newIn(child);
  const texts = tried.map((component) => [componentId(component), componentText(component)]);
  search.reject({
    parents: [child.parent.id],
    components: tried.map(componentId),
    reason,
    detail,
    texts: Object.fromEntries(texts) as Record<string, string>,
  });
}

/** The components with new texts. */
function newIn({ changed, components }: Child): readonly Component[] {
  const ids = new Set(changed.map(componentId));
  return components.filter((component) => ids.has(componentId(component)));
}
