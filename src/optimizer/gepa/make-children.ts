import type { Candidate } from "../../contract/index.ts";
import type { CandidateRecord, RefusalReason } from "../candidate-record.ts";
import { componentId } from "../candidate-record.ts";
import type { Rollout } from "../evaluation/index.ts";
import { predictorOf } from "../predictor-of.ts";
import type { PreparedProposal } from "./prepare-proposals.ts";
import { extractText } from "./proposal/extract-text.ts";
import { objection } from "./proposal/proposal-checks.ts";
import type { ProposalRequest, ProposedText } from "./proposal/proposer.ts";
import { reflectiveCases } from "./proposal/reflective-cases.ts";
import { refuse } from "./refuse.ts";
import type { Search } from "./search.ts";
import { noteTried } from "./search.ts";
import type { TextComponent } from "./text-component.ts";
import { isText } from "./text-component.ts";

/** Texts that whoever writes cannot have meant. */
const failures: ReadonlySet<RefusalReason> = new Set(["empty", "polluted", "truncated", "json"]);

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

interface Draft {
  readonly proposal: PreparedProposal;
  readonly component: TextComponent;
  readonly request: ProposalRequest;
}

type Written =
  | { readonly ok: true; readonly text: string }
  | (Extract<ProposedText, { readonly ok: false }> & { readonly text?: string });

/** Has new texts written, refuses those that no rollout should be spent on, and puts children together. */
export async function makeChildren(
  search: Search,
  proposals: readonly PreparedProposal[],
): Promise<readonly Child[]> {
  const drafts = proposals.flatMap((proposal, place) => draftsOf(search, proposal, place));
  if (drafts.length === 0) return [];
  const written = await write(search, drafts);
  const children: Child[] = [];
  for (const proposal of proposals) {
    const child = childOf(search, proposal, drafts, written);
    if (child !== null) children.push(child);
  }
  return children;
}

function draftsOf(
  { space, iteration }: Search,
  proposal: PreparedProposal,
  place: number,
): readonly Draft[] {
  const { parent, components, rollouts } = proposal;
  return components.flatMap((component) => {
    const cases = reflectiveCases(rollouts, predictorOf(component));
    if (cases.length === 0) return [];
    const suffix = [
      ...(place === 0 ? [] : [place]),
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

/** Asks for all texts side by side, and once more for those that were refused. */
async function write(search: Search, drafts: readonly Draft[]): Promise<readonly Written[]> {
  const { run, settings } = search;
  const { proposer, secondTries } = settings;
  const ask = async (asked: readonly Draft[]): Promise<readonly Written[]> => {
    const texts = await proposer.propose(
      asked.map(({ request }) => request),
      run,
    );
    run.emit({ kind: "budget-spent", iteration: search.iteration, ...run.spent });
    return texts.map((text, place) => checked(search, asked[place] as Draft, text));
  };
  const written = [...(await ask(drafts))];
  for (let attempt = 1; attempt <= secondTries; attempt++) {
    const again = written.flatMap((one, place) => {
      if (one.ok || one.text === undefined) return [];
      const { text, detail } = one;
      const draft = drafts[place] as Draft;
      const request = {
        ...draft.request,
        id: `${draft.request.id}/again-${attempt}`,
        refused: { text, detail },
      };
      return [{ place, draft: { ...draft, request } }];
    });
    const fits = run.fits({ metricCalls: 0, reflections: again.length });
    if (again.length === 0 || !fits) break;
    const texts = await ask(again.map(({ draft }) => draft));
    for (const [number, { place }] of again.entries()) written[place] = texts[number] as Written;
  }
  return written;
}

function checked(search: Search, { component, request }: Draft, given: ProposedText): Written {
  if (!given.ok) return given;
  const text = search.settings.checks.length === 0 ? given.text : extractText(given.text);
  const refused = objection(search.settings.checks, text, {
    current: component.value,
    isTried: search.tried.get(componentId(component))?.has(text) === true,
    cases: request.cases,
    known: [request.place, ...request.candidate.filter(isText).map(({ value }) => value)],
  });
  if (refused === null) return { ok: true, text };
  const isFailure = failures.has(refused.reason);
  return { ok: false, ...refused, text, isFailure };
}

function childOf(
  search: Search,
  proposal: PreparedProposal,
  drafts: readonly Draft[],
  written: readonly Written[],
): Child | null {
  const { run, lessons, iteration } = search;
  const { parent, exampleIds } = proposal;
  const texts = new Map<TextComponent, string>();
  let failed: { component: TextComponent; written: Extract<Written, { ok: false }> } | undefined;
  for (const [place, draft] of drafts.entries()) {
    const one = written[place];
    if (draft.proposal !== proposal || one === undefined) continue;
    search.failures = !one.ok && one.isFailure ? search.failures + 1 : 0;
    if (one.ok) texts.set(draft.component, one.text);
    else failed ??= { component: draft.component, written: one };
  }
  const changed = [...texts.keys()];
  const refused = (
    components: readonly TextComponent[],
    { reason, detail, text }: { reason: RefusalReason; detail: string; text?: string | undefined },
  ): null => {
    for (const rollout of proposal.rollouts.slice(0, 1)) lessons.fail(components, rollout);
    const [first] = components;
    refuse(search, {
      parents: [parent.id],
      components: components.map(componentId),
      reason,
      detail,
      ...(text === undefined || first === undefined
        ? {}
        : { texts: { [componentId(first)]: text } }),
    });
    return null;
  };
  if (changed.length === 0) {
    return failed === undefined ? null : refused([failed.component], failed.written);
  }
  const components = withTexts(parent, texts);
  for (const [component, text] of texts) noteTried(search, { ...component, value: text });
  run.emit({
    kind: "candidate-proposed",
    iteration,
    parents: [parent.id],
    texts: Object.fromEntries(
      [...texts].map(([component, text]) => [componentId(component), text]),
    ),
  });
  return {
    parent,
    components,
    changed,
    exampleIds,
    rollouts: proposal.rollouts,
    isOwn: proposal.isOwn,
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
