import { componentId } from "../../internal/index.ts";
import type { Rejection, RejectionReason } from "../candidate/candidate-record.ts";
import type { TextComponent } from "../task/search-space.ts";
import { isText } from "../task/search-space.ts";
import { extractText } from "./check/extract-text.ts";
import type { Checked, OwnLabels, ProposalCheck } from "./check/proposal-check.ts";
import { objection } from "./check/proposal-checks.ts";
import type { ProposalRequest, ProposedText } from "./proposer.ts";

/** A written text that passed all checks, or why it did not, with the text where there is one. */
export type CheckedText =
  | { readonly ok: true; readonly text: string; readonly caveats: readonly string[] }
  | (Extract<ProposedText, { readonly ok: false }> & { readonly text?: string });

/** Reasons for rejecting a text that its writer cannot have intended. */
const failures: ReadonlySet<RejectionReason> = new Set(["empty", "polluted", "truncated", "json"]);

/** Takes the text out of what was written around it, and checks it; without checks, as it is. */
export function checkedText(
  given: ProposedText,
  { component, place, candidate, cases }: ProposalRequest,
  {
    checks,
    isTried,
    labels,
  }: {
    readonly checks: readonly ProposalCheck[];
    readonly isTried: (text: string) => boolean;
    readonly labels: OwnLabels;
  },
): CheckedText {
  if (!given.ok) return given;
  if (checks.length === 0) return { ok: true, text: given.text, caveats: [] };
  const text = extractText(given.text);
  const against: Checked = {
    current: component.value,
    isTried: isTried(text),
    cases,
    labels: [...new Set(cases.map(({ exampleId }) => exampleId))].flatMap(labels),
    known: [place, ...candidate.filter(isText).map(({ value }) => value)],
  };
  const found = objection(checks, text, against);
  if (found !== null) return { ok: false, ...found, text, isFailure: failures.has(found.reason) };
  return { ok: true, text, caveats: checks.flatMap(({ caveat }) => caveat?.(text, against) ?? []) };
}

/** The record of a text that was rejected, with the text where there is one. */
export function rejectedText(
  component: TextComponent,
  { reason, detail, text }: Extract<CheckedText, { readonly ok: false }>,
  parents: readonly number[],
): Omit<Rejection, "iteration"> {
  const id = componentId(component);
  const texts = text !== undefined && { texts: { [id]: text } };
  return { parents, components: [id], reason, detail, ...texts };
}
