import { checkedIn } from "../../proposal/check/proposal-check.ts";
import type { Candidate } from "../../../contract/index.ts";
import { componentId } from "../../../internal/index.ts";
import type { CandidateRecord, RejectionReason } from "../../candidate/candidate-record.ts";
import { predictorOf } from "../../candidate/components.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { SelectedProposal } from "./select.ts";
import type { Decision, Stage } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import { reflectiveCases } from "../../proposal/case/reflective-cases.ts";
import { extractText } from "../../proposal/check/extract-text.ts";
import { caveatsOf, objection } from "../../proposal/check/proposal-checks.ts";
import type { ProposalRequest, ProposedText } from "../../proposal/proposer.ts";
import type { TextComponent } from "../../task/search-space.ts";

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
export async function* reflect(
  proposals: readonly SelectedProposal[],
  state: SearchState,
  tools: Tools,
): Stage<readonly Child[]> {
  const drafts = draftsFor(proposals, state, tools);
  if (drafts.length === 0) return [];
  const written = yield* writeTexts(drafts, state, tools);
  const texts = drafts.map(({ component }, index) => ({
    component: componentId(component),
    isFailure: isFailure(written[index]?.at(-1)),
  }));
  const made = proposals.map((proposal) => childOf(proposal, drafts, written));
  const children = made.flatMap(({ child }) => child ?? []);
  yield [{ kind: "texts-written", texts }, ...made.flatMap(({ decisions }) => decisions)];
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
  for (const [index, draft] of drafts.entries()) {
    if (draft.proposal !== proposal) continue;
    const { component } = draft;
    for (const one of written[index] ?? []) {
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

/** Reasons for rejecting a text that the proposer cannot have intended. */
const failures: ReadonlySet<RejectionReason> = new Set(["empty", "polluted", "truncated", "json"]);

/** A text to be written for a proposal. */
interface Draft {
  readonly proposal: SelectedProposal;
  readonly component: TextComponent;
  readonly request: ProposalRequest;
}

type Written =
  | { readonly ok: true; readonly text: string; readonly caveats: readonly string[] }
  | (Extract<ProposedText, { readonly ok: false }> & { readonly text?: string });

/**
 * The texts that proposals request; the last ones are dropped if the budget does not cover them.
 */
function draftsFor(
  proposals: readonly SelectedProposal[],
  state: SearchState,
  tools: Tools,
): readonly Draft[] {
  const drafts = proposals.flatMap((proposal, index) => draftsOf(proposal, index, state, tools));
  let count = drafts.length;
  while (count > 1 && !tools.run.fits({ rollouts: 0, reflectionCalls: count })) count--;
  return drafts.slice(0, count);
}

function draftsOf(
  proposal: SelectedProposal,
  index: number,
  { iteration }: SearchState,
  { space }: Tools,
): readonly Draft[] {
  const { parent, components, rollouts } = proposal;
  return components.flatMap((component) => {
    const cases = reflectiveCases(rollouts, predictorOf(component));
    if (cases.length === 0) return [];
    const suffix = [
      ...(index === 0 ? [] : [index]),
      ...(components.length === 1 ? [] : [component.path]),
    ];
    const request: ProposalRequest = {
      id: [`iteration-${iteration}`, ...suffix].join("/"),
      component,
      place: space.describe(component),
      candidate: parent.components,
      cases,
    };
    return [{ proposal, component, request }];
  });
}

/**
 * Requests all texts side by side, and requests rejected ones again. Returns every attempt for each
 * draft; the last one counts.
 */
async function* writeTexts(
  drafts: readonly Draft[],
  state: SearchState,
  tools: Tools,
): Stage<readonly (readonly Written[])[]> {
  const { run, settings } = tools;
  const written = drafts.map((): Written[] => []);
  let asked = drafts.map((draft, index) => ({ draft, index }));
  for (let attempt = 1; ; attempt++) {
    const texts = await settings.proposer.propose(
      asked.map(({ draft: { request } }) => request),
      run,
    );
    yield [{ kind: "texts-requested" }];
    for (const [number, { draft, index }] of asked.entries()) {
      written[index]?.push(checked(texts[number] as ProposedText, draft, state, tools));
    }
    if (attempt > settings.secondTries) return written;
    asked = asked.flatMap(({ draft, index }) => {
      const last = written[index]?.at(-1);
      if (last === undefined || last.ok || last.text === undefined) return [];
      const { id } = (drafts[index] as Draft).request;
      const refused = [{ text: last.text, detail: last.detail }, ...(draft.request.refused ?? [])];
      const request = { ...draft.request, id: `${id}/again-${attempt}`, refused };
      return [{ index, draft: { ...draft, request } }];
    });
    const fits = run.fits({ rollouts: 0, reflectionCalls: asked.length });
    if (asked.length === 0 || !fits) return written;
  }
}

/** Whether the proposer failed on the last text that it wrote for a draft. */
function isFailure(last: Written | undefined): boolean {
  return last !== undefined && !last.ok && last.isFailure;
}

function checked(
  given: ProposedText,
  { component, request }: Draft,
  state: SearchState,
  { settings: { checks }, ownLabels }: Tools,
): Written {
  if (!given.ok) return given;
  if (checks.length === 0) return { ok: true, text: given.text, caveats: [] };
  const text = extractText(given.text);
  const against = checkedIn(request, {
    isTried: state.tried.has(component, text),
    labels: ownLabels,
  });
  const found = objection(checks, text, against);
  if (found === null) return { ok: true, text, caveats: caveatsOf(checks, text, against) };
  return { ok: false, ...found, text, isFailure: failures.has(found.reason) };
}
