import type { Candidate } from "../../../contract/index.ts";
import type { RejectionReason } from "../../candidate/candidate-record.ts";
import { predictorOf } from "../../candidate/predictor-of.ts";
import { reflectiveCases } from "../../proposal/case/reflective-cases.ts";
import { extractText } from "../../proposal/check/extract-text.ts";
import { caveatsOf, objection } from "../../proposal/check/proposal-checks.ts";
import type { ProposalRequest, ProposedText } from "../../proposal/proposer.ts";
import type { Act } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";
import { patience } from "../strategy/patience.ts";
import type { Checked } from "../../proposal/check/proposal-check.ts";
import type { TextComponent } from "../../task/text-component.ts";
import { isText } from "../../task/text-component.ts";
import type { SelectedProposal } from "./select.ts";

/** Reasons for rejecting a text that the proposer cannot have intended. */
const failures: ReadonlySet<RejectionReason> = new Set(["empty", "polluted", "truncated", "json"]);

/** A text to be written for a proposal. */
export interface Draft {
  readonly proposal: SelectedProposal;
  readonly component: TextComponent;
  readonly request: ProposalRequest;
}

export type Written =
  | { readonly ok: true; readonly text: string; readonly caveats: readonly string[] }
  | (Extract<ProposedText, { readonly ok: false }> & { readonly text?: string });

/**
 * The texts that proposals request; the last ones are dropped if the budget does not cover them.
 */
export function draftsFor(
  proposals: readonly SelectedProposal[],
  { iteration }: SearchState,
  tools: Tools,
): readonly Draft[] {
  const drafts = proposals.flatMap((proposal, place) =>
    draftsOf(proposal, { place, iteration }, tools),
  );
  let count = drafts.length;
  while (count > 1 && !tools.run.fits({ rollouts: 0, reflectionCalls: count })) count--;
  return drafts.slice(0, count);
}

function draftsOf(
  proposal: SelectedProposal,
  { place, iteration }: { readonly place: number; readonly iteration: number },
  tools: Tools,
): readonly Draft[] {
  const { space } = tools;
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

/**
 * Requests all texts side by side, and requests rejected ones again. Returns every attempt for each
 * draft; the last one counts.
 */
export async function writeTexts(
  drafts: readonly Draft[],
  state: SearchState,
  { tools, act }: { readonly tools: Tools; readonly act: Act },
): Promise<readonly (readonly Written[])[]> {
  const { run, settings } = tools;
  const { proposer, secondTries } = settings;
  const ask = async (asked: readonly Draft[]): Promise<readonly Written[]> => {
    const texts = await proposer.propose(
      asked.map(({ request }) => request),
      run,
    );
    act([{ kind: "texts-requested" }]);
    return texts.map((text, place) => checked(text, asked[place] as Draft, state, tools));
  };
  const written = (await ask(drafts)).map((one) => [one]);
  for (let attempt = 1; attempt <= secondTries; attempt++) {
    const again = written.flatMap((attempts, place) => {
      const one = attempts.at(-1);
      if (one === undefined || one.ok || one.text === undefined) return [];
      const draft = drafts[place] as Draft;
      const { request } = draft;
      const refused = { text: one.text, detail: one.detail };
      const asked = { ...request, id: `${request.id}/again-${attempt}`, refused };
      return [{ place, draft: { ...draft, request: asked } }];
    });
    const fits = run.fits({ rollouts: 0, reflectionCalls: again.length });
    if (again.length === 0 || !fits) break;
    const texts = await ask(again.map(({ draft }) => draft));
    for (const [number, { place }] of again.entries()) {
      written[place]?.push(texts[number] as Written);
    }
  }
  return written;
}

/** Whether the proposer failed on the last text that it wrote for a draft. */
export function isFailure(last: Written | undefined): boolean {
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
  const { cases, place, candidate } = request;
  const against: Checked = {
    current: component.value,
    isTried: isTried(component, text, candidate, state),
    cases,
    labels: [...new Set(cases.map(({ exampleId }) => exampleId))].flatMap(ownLabels),
    known: [place, ...candidate.filter(isText).map(({ value }) => value)],
  };
  const found = objection(checks, text, against);
  if (found === null) return { ok: true, text, caveats: caveatsOf(checks, text, against) };
  return { ok: false, ...found, text, isFailure: failures.has(found.reason) };
}

/**
 * In a search that finds nothing better any more, a text may be tried anew beside other texts of
 * other steps.
 */
function isTried(
  component: TextComponent,
  text: string,
  candidate: Candidate,
  { tried, iteration, candidates }: SearchState,
): boolean {
  if (!tried.has(component, text)) return false;
  const isStalled = iteration - (candidates.at(-1)?.iteration ?? 0) > patience;
  return !isStalled || tried.hasBeside(component, text, candidate);
}
