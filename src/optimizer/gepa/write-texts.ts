import type { RefusalReason } from "../candidate/candidate-record.ts";
import { componentId } from "../candidate/candidate-record.ts";
import { predictorOf } from "../candidate/predictor-of.ts";
import type { PreparedProposal } from "./prepare-proposals.ts";
import { extractText } from "./proposal/extract-text.ts";
import { plainText } from "./text/plain-text.ts";
import { objection } from "./proposal/proposal-checks.ts";
import type { ProposalRequest, ProposedText } from "./proposal/proposer.ts";
import { reflectiveCases } from "./lesson/reflective-cases.ts";
import { refuse } from "./refuse.ts";
import type { Search } from "./search.ts";
import type { TextComponent } from "./strategy/text-component.ts";
import { isText } from "./strategy/text-component.ts";

/** Texts that whoever writes cannot have meant. */
const failures: ReadonlySet<RefusalReason> = new Set(["empty", "polluted", "truncated", "json"]);

/** A text to be written for a proposal. */
export interface Draft {
  readonly proposal: PreparedProposal;
  readonly component: TextComponent;
  readonly request: ProposalRequest;
}

export type Written =
  | { readonly ok: true; readonly text: string }
  | (Extract<ProposedText, { readonly ok: false }> & { readonly text?: string });

/** The texts that proposals ask for; the last ones are left out where the budget ends before them. */
export function draftsFor(
  search: Search,
  proposals: readonly PreparedProposal[],
): readonly Draft[] {
  const drafts = proposals.flatMap((proposal, place) => draftsOf(search, proposal, place));
  let count = drafts.length;
  while (count > 1 && !search.run.fits({ metricCalls: 0, reflections: count })) count--;
  return drafts.slice(0, count);
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

/** Asks for all texts side by side, and again for those that were refused; of each draft all that came, the last one counts. */
export async function writeTexts(
  search: Search,
  drafts: readonly Draft[],
): Promise<readonly (readonly Written[])[]> {
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
    const fits = run.fits({ metricCalls: 0, reflections: again.length });
    if (again.length === 0 || !fits) break;
    const texts = await ask(again.map(({ draft }) => draft));
    for (const [number, { place }] of again.entries()) {
      written[place]?.push(texts[number] as Written);
    }
  }
  for (const [place, attempts] of written.entries()) {
    count(search, drafts[place] as Draft, attempts.at(-1) as Written);
  }
  return written;
}

/** Notes and tells why a text was refused. */
export function refuseText(
  search: Search,
  { proposal, component }: Draft,
  { reason, detail, text }: Extract<Written, { readonly ok: false }>,
): void {
  const id = componentId(component);
  refuse(search, {
    parents: [proposal.parent.id],
    components: [id],
    reason,
    detail,
    ...(text === undefined ? {} : { texts: { [id]: text } }),
  });
}

/** Counts failures in a row: of all texts, and of each component's. */
function count({ failures }: Search, { component }: Draft, one: Written): void {
  const isFailure = !one.ok && one.isFailure;
  for (const name of ["all", componentId(component)]) {
    failures.set(name, isFailure ? (failures.get(name) ?? 0) + 1 : 0);
  }
}

function checked(search: Search, { component, request }: Draft, given: ProposedText): Written {
  if (!given.ok) return given;
  const text = search.settings.checks.length === 0 ? given.text : extractText(given.text);
  const refused = objection(search.settings.checks, text, {
    current: component.value,
    isTried: search.tried.get(componentId(component))?.has(plainText(text)) === true,
    cases: request.cases,
    known: [request.place, ...request.candidate.filter(isText).map(({ value }) => value)],
  });
  if (refused === null) return { ok: true, text };
  const isFailure = failures.has(refused.reason);
  return { ok: false, ...refused, text, isFailure };
}
