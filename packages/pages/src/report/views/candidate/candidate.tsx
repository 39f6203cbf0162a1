import type { JSX } from "preact";
import type {
  ComparedArtifact,
  ComparedCandidate,
  ComparedSource,
  Flip,
} from "../../../../../../src/report/index.ts";
import type { ComparisonIndex, Member } from "../../data/comparison-index.ts";
import { counted, figure, intervalText, wholeNumber } from "../../data/figure.ts";
import { addressOf, amendAddress, membersOf, membersText } from "../../data/route.ts";
import type { ViewProps } from "../../data/view-props.ts";
import { partsOf } from "../../parts/part-text.ts";
import { CandidateLink } from "../../parts/candidate-link.tsx";
import { Choice } from "../../parts/choice.tsx";
import { ChangedParts } from "./changed-parts.tsx";

/** One candidate: its figures, its parts beside those of another one, and why it exists. */
export function Candidate({ index, route }: ViewProps): JSX.Element {
  const key = route.given.get("source") ?? "";
  const member: Member = { source: key, candidate: Number(route.given.get("candidate")) };
  const [source, candidate] = [index.source(key), index.candidate(member)];
  if (source === undefined || candidate === undefined) {
    return (
      <>
        <h1 tabIndex={-1}>Candidate</h1>
        <p>
          The URL does not name a candidate in this comparison.{" "}
          <a href="#candidates">All candidates</a>
        </p>
      </>
    );
  }
  const [parent] = candidate.parents;
  const start: Member | undefined =
    parent === undefined ? undefined : { source: key, candidate: parent };
  const [against = start] = membersOf(route.given.get("against"));
  const other = against && index.candidate(against);
  return (
    <>
      <h1 tabIndex={-1}>
        {key}, candidate {candidate.id}
        {candidate.id === source.best && " (best)"}
      </h1>
      <Measures candidate={candidate} source={source} />
      <Origin candidate={candidate} />
      {source.kind === "artifact" && <ArtifactLineage artifact={source} />}
      <div class="controls">
        <Choice
          label="Compared with"
          value={against === undefined ? "" : membersText([against])}
          options={[
            ...(against === undefined ? [{ value: "", text: "nothing" }] : []),
            ...index.comparison.sources.flatMap((one) =>
              one.candidates.map(({ id }) => ({
                value: membersText([{ source: one.key, candidate: id }]),
                text: `${one.key}, candidate ${id}${nameOf(one, id, candidate, key)}`,
              })),
            ),
          ]}
          choose={(value) => amendAddress(route, { against: value })}
        />
      </div>
      <ChangedParts
        now={partsOf(source, candidate)}
        before={other && against ? partsOf(index.source(against.source), other) : undefined}
      />
      {against !== undefined && other !== undefined && (
        <GainsAndLosses index={index} baseline={against} other={member} />
      )}
      <p>
        <a href={addressOf("prompts", { source: key, candidate: String(candidate.id) })}>
          The exact prompts of this candidate
        </a>
      </p>
    </>
  );
}

function nameOf(
  { key, best }: ComparedSource,
  id: number,
  candidate: ComparedCandidate,
  own: string,
): string {
  const names = [
    id === 0 && "seed",
    id === best && "best",
    key === own && candidate.parents.includes(id) && "parent",
  ].filter(Boolean);
  return names.length === 0 ? "" : ` (${names.join(", ")})`;
}

function Measures({
  candidate,
  source,
}: {
  readonly candidate: ComparedCandidate;
  readonly source: ComparedSource;
}): JSX.Element {
  const { measures, seen, parents } = candidate;
  const tests = "test" in source ? source.test.filter((one) => one.candidate === candidate.id) : [];
  return (
    <>
      <dl class="measures">
        {measures.map(({ name, value, interval }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {figure(value)}
              {interval !== null && <span class="under">{intervalText(interval)}</span>}
              {name === "quality" && seen !== undefined && (
                <span class="under">estimated from {counted(seen, "example")}</span>
              )}
            </dd>
          </div>
        ))}
        {tests.map(({ metric, value, interval }) => (
          <div key={`test ${metric}`}>
            <dt>{metric} on test</dt>
            <dd>
              {figure(value)}
              {interval !== null && <span class="under">{intervalText(interval)}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {parents.length > 0 && (
        <p>
          From{" "}
          {parents.map((parent, position) => (
            <span key={parent}>
              {position > 0 && " and "}
              <CandidateLink source={source.key} candidate={parent} />
            </span>
          ))}
          .
        </p>
      )}
    </>
  );
}

function ArtifactLineage({
  artifact: { hash, aliases, lineage, optimizer },
}: {
  readonly artifact: ComparedArtifact;
}): JSX.Element {
  return (
    <>
      <p>
        Artifact {hash.slice(0, 12)}
        {aliases.length > 0 && `, known as ${aliases.join(", ")}`}
        {optimizer !== undefined && `; made by ${optimizer.name} with seed ${optimizer.seed}`}.
      </p>
      {lineage.length > 0 && (
        <details>
          <summary>Lineage in the run that made it</summary>
          <ul>
            {lineage.map(({ id, parents, val, seen }) => (
              <li key={id}>
                {id}
                {parents.length > 0 && ` from ${parents.join(" and ")}`}
                {val !== undefined && `: ${figure(val)} on val`}
                {seen !== undefined && `, estimated from ${counted(seen, "example")}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** Why a candidate was accepted. */
function Origin({ candidate }: { readonly candidate: ComparedCandidate }): JSX.Element | null {
  const { acceptance, gate, iteration, metricCallsBefore } = candidate;
  if (acceptance === undefined) return null;
  return (
    <section>
      <h2>Why it was accepted</h2>
      <p>
        {acceptance.detail}
        {/[.!?]$/.test(acceptance.detail) ? "" : "."} Iteration {iteration}, after{" "}
        {wholeNumber(metricCallsBefore)} metric calls
        {gate === undefined
          ? "."
          : `; on the deciding minibatch of ${gate.examples.length}, ${figure(gate.childSum)} against its parent’s ${figure(gate.parentSum)}.`}
      </p>
    </section>
  );
}

const shownFlips = 5;

/** What a candidate gained and lost against another one, on each split that both have. */
function GainsAndLosses({
  index,
  baseline,
  other,
}: {
  readonly index: ComparisonIndex;
  readonly baseline: Member;
  readonly other: Member;
}): JSX.Element {
  const shared = index.sharedSplits([baseline], [other]);
  return (
    <section>
      <h2>What it gained and lost</h2>
      {shared.length === 0 && <p>No example was scored for both.</p>}
      {shared.map((split) => {
        const flips = index.flips([baseline], [other], split);
        const gained = flips.filter((flip) => flip.other > flip.baseline);
        const lost = flips.filter((flip) => flip.other < flip.baseline);
        const given = { baseline: membersText([baseline]), other: membersText([other]), split };
        return (
          <div key={split}>
            <h3>
              On {split}: {gained.length} better, {lost.length} worse.{" "}
              <a href={addressOf("flips", given)}>All flips on {split}</a>
            </h3>
            <div class="pair">
              <Some title="Gained" flips={gained} index={index} given={given} />
              <Some title="Lost" flips={lost} index={index} given={given} />
            </div>
          </div>
        );
      })}
    </section>
  );
}

function Some({
  title,
  flips,
  index,
  given,
}: {
  readonly title: string;
  readonly flips: readonly Flip[];
  readonly index: ComparisonIndex;
  readonly given: Readonly<Record<string, string>>;
}): JSX.Element | null {
  if (flips.length === 0) return null;
  return (
    <div>
      <h4>{title}</h4>
      <ul class="plain">
        {flips.slice(0, shownFlips).map(({ example, baseline, other }) => {
          const id = index.comparison.examples[example]?.id ?? "";
          return (
            <li key={example}>
              <a href={addressOf("flips", { ...given, example: id })}>{id}</a>: {figure(baseline)} →{" "}
              {figure(other)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
