import type { JSX } from "preact";
import type { Component, SplitName } from "../../../../../../src/contract/index.ts";
import type { Headline, HeadlineCost } from "../../../../../../src/report/index.ts";
import { headlineCaveat, mainContrast } from "../../../../../../src/report/index.ts";
import { isTie } from "../../../../../../src/statistics/index.ts";
import { counted, dollars, figure, intervalText, signed } from "../../data/figure.ts";
import { addressOf, membersText } from "../../data/route.ts";
import type { ViewProps } from "../../data/view-props.ts";
import { CandidateLink } from "../../parts/candidate-link.tsx";
import { Fallen } from "../../parts/fallen.tsx";
import { VerdictNotes } from "../../parts/verdict-notes.tsx";
import { reachOf, Whisker } from "../../parts/whisker.tsx";
import { Contrasts } from "./contrasts.tsx";
import { OnTest } from "./on-test.tsx";
import { Sources } from "./sources.tsx";
import { componentId } from "../../../../../../src/internal/index.ts";
import type { ComparisonIndex } from "../../data/comparison-index.ts";
import { Difference } from "../../parts/difference.tsx";
import { partsOf, partText } from "../../parts/part-text.ts";

/** What won, by how much, how surely, at what cost, and why; then the figures behind it. */
export function Overview({ index }: ViewProps): JSX.Element {
  const { comparison } = index;
  const { headline, incomparable = [], notes } = comparison;
  // Where there is no headline, why is the first thing to read.
  const [problem = "Nothing has a score yet.", ...others] = incomparable;
  const remaining = headline === null ? others : incomparable;
  return (
    <>
      {headline === null ? (
        <h1 class="lead" tabIndex={-1}>
          {problem}
        </h1>
      ) : (
        <>
          <Lead headline={headline} flipsOn={mainContrast(comparison)?.split ?? "val"} />
          <Why index={index} headline={headline} />
        </>
      )}
      <Notes notes={[...remaining, ...notes]} />
      <OnTest comparison={comparison} />
      <Contrasts comparison={comparison} />
      <Sources index={index} />
    </>
  );
}

function Lead({
  headline,
  flipsOn,
}: {
  readonly headline: Headline;
  /** The split of which single examples have scores. */
  readonly flipsOn: SplitName;
}): JSX.Element {
  const { kind, winner, baseline, split, metric, among } = headline;
  const { difference, interval, words, examples, better, worse, fell = [] } = headline;
  const shown = words.isIntervalTooNarrow ? null : interval;
  const hasTie = isTie(headline);
  const caveat = headlineCaveat(headline);
  const rival = kind === "seed" ? "the program it started from" : baseline.name;
  // Single examples may have scores on another split alone.
  const isOther = split !== flipsOn;
  const flips = addressOf("flips", {
    baseline: membersText(baseline.members),
    other: membersText(winner.members),
    split: flipsOn,
  });
  const tally = `${better} better, ${worse} worse`;
  return (
    <section>
      <h1 class="lead" tabIndex={-1}>
        {headline.lead}
      </h1>
      {headline.isRehearsal && (
        <p class="warning">The rehearsal LM answered: this says nothing about a real model.</p>
      )}
      <dl class="answers">
        <div>
          <dt>What won</dt>
          <dd>
            <strong>{hasTie ? "Neither" : winner.name}</strong>
            <span>
              metric {metric} on {split}: {figure(headline.value)}
              {winner.members.length > 1 && `, mean of ${winner.members.length} runs`}
            </span>
            {winner.members.slice(0, 4).map((member) => (
              <span key={`${member.source} ${member.candidate}`} class="under">
                <CandidateLink {...member} />
              </span>
            ))}
          </dd>
        </div>
        <div>
          <dt>By how much</dt>
          <dd>
            <strong>{signed(difference)}</strong>
            <span>
              {rival}
              {among && ` (${among.against} of ${among.count})`}: {figure(headline.baselineValue)}
            </span>
            <span class="under">
              {counted(examples, "example")}: {isOther ? `${tally}; ` : ""}
              <a href={flips}>{isOther ? `flips on ${flipsOn}` : tally}</a>
            </span>
            <Fallen fell={fell} />
          </dd>
        </div>
        <div>
          <dt>How certain</dt>
          <dd>
            <strong>{capitalized(words.verdict)}</strong>
            <Whisker
              difference={difference}
              interval={shown}
              reach={reachOf([{ difference, interval: shown }])}
            />
            {!hasTie && (
              <>
                <span>
                  {shown === null ? "No interval" : `95\u00a0% interval ${intervalText(shown)}`}
                </span>
                <VerdictNotes words={words} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>At what cost</dt>
          <dd>
            <Cost cost={headline} of={hasTie ? winner.name : undefined} />
            {headline.baselineCost && (
              <span class="under">
                {baseline.name}: {costParts(headline.baselineCost).join(", ") || "unknown"}
              </span>
            )}
            <span class="under">A metric call is one example, run and scored.</span>
          </dd>
        </div>
      </dl>
      {caveat !== "" && <p>{caveat}</p>}
    </section>
  );
}

function Cost({
  cost,
  of,
}: {
  readonly cost: HeadlineCost;
  /** Named where it is not clear whose cost it is. */
  readonly of: string | undefined;
}): JSX.Element {
  const [first = "Unknown", ...others] = costParts(cost);
  return (
    <>
      <strong>{first}</strong>
      <span>{[...(of === undefined ? [] : [of]), ...others].join(", ")}</span>
    </>
  );
}

function costParts({ metricCalls, tokens, costUsd }: HeadlineCost): readonly string[] {
  return [
    ...(costUsd === null ? [] : [dollars(costUsd)]),
    ...(metricCalls === null ? [] : [counted(metricCalls, "metric call")]),
    ...(tokens === null ? [] : [counted(tokens, "token")]),
  ];
}

/** What a reader must know before trusting the figures. */
function Notes({ notes }: { readonly notes: readonly string[] }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <aside class="notes" aria-label="Notes">
      {notes.map((note) => (
        <p key={note}>{capitalized(note)}</p>
      ))}
    </aside>
  );
}

/** As many as leave room for a reader to see that there is more below. */
const maxShown = 2;

/** What the search changed in the program that it began with, before and after: texts first. */
function Why({
  index,
  headline: { kind, winner },
}: {
  readonly index: ComparisonIndex;
  readonly headline: Headline;
}): JSX.Element | null {
  const [member, ...others] = winner.members;
  if (kind !== "seed" || member === undefined || others.length > 0) return null;
  const source = index.source(member.source);
  const seed = { ...member, candidate: 0 };
  const [before, now] = [seed, member].map((one) => partsOf(source, index.candidate(one)));
  const old = new Map(before?.map((part) => [componentId(part), part]));
  const changes = (now ?? [])
    .map((after) => ({ after, before: old.get(componentId(after)) }))
    .filter(({ after, before }) => partText(before) !== partText(after))
    .toSorted((one, other) => rank(one.after) - rank(other.after));
  if (changes.length === 0) return null;
  const address = addressOf("candidate", {
    source: member.source,
    candidate: String(member.candidate),
    against: membersText([seed]),
  });
  return (
    <section class="why" aria-label="Why">
      <h2>Why: what the search changed</h2>
      {changes.slice(0, maxShown).map(({ before, after }) => (
        <div key={componentId(after)} class="part">
          <h3>{componentId(after)}</h3>
          {after.kind === "demos" ? (
            <p>
              {counted(after.value.length, "demonstration")} (before:{" "}
              {before?.kind === "demos" ? before.value.length : 0})
            </p>
          ) : (
            <Difference before={partText(before)} after={partText(after)} />
          )}
        </div>
      ))}
      <p>
        <a href={address}>
          {changes.length > maxShown ? `All ${changes.length} changes` : "The candidate"}
        </a>
      </p>
    </section>
  );
}

function rank({ kind }: Component): number {
  return kind === "demos" ? 2 : kind === "parameter" ? 1 : 0;
}

/** A text that begins a line. */
function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
