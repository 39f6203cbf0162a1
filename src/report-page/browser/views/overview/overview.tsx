import type { JSX } from "preact";
import type { Headline } from "../../../../report/index.ts";
import { counted, dollars, figure, intervalText, signed } from "../../data/figure.ts";
import { capitalized } from "../../data/capitalized.ts";
import { addressOf, membersText } from "../../data/route.ts";
import type { ViewProps } from "../../data/view-props.ts";
import { CandidateLink } from "../../parts/candidate-link.tsx";
import { reachOf, Whisker } from "../../parts/whisker.tsx";
import { Contrasts } from "./contrasts.tsx";
import { Notes } from "./notes.tsx";
import { OnTest } from "./on-test.tsx";
import { Sources } from "./sources.tsx";

/** What won, by how much, how surely, at what cost; then the figures behind it. */
export function Overview({ index }: ViewProps): JSX.Element {
  const { comparison } = index;
  const { headline } = comparison;
  return (
    <>
      {headline === null ? (
        <h1 class="lead" tabIndex={-1}>
          Nothing has a score yet.
        </h1>
      ) : (
        <Lead headline={headline} />
      )}
      <Notes comparison={comparison} />
      <OnTest comparison={comparison} />
      <Contrasts comparison={comparison} />
      <Sources index={index} />
    </>
  );
}

function Lead({ headline }: { readonly headline: Headline }): JSX.Element {
  const { winner, baseline, split, difference, interval, words } = headline;
  const { metricCalls, tokens, costUsd } = headline;
  const shown = words.isIntervalTooNarrow ? null : interval;
  const cost = [
    tokens !== null && counted(tokens, "token"),
    costUsd !== null && dollars(costUsd),
  ].filter(Boolean);
  // The first sentence answers the question; what qualifies it follows in smaller type.
  const [sentence = "", rest = ""] = headline.sentence
    .replaceAll(" %", "\u00a0%")
    .split(/(?<=[.]) (?=[A-Z].*$)(.*)/s);
  const flips = addressOf("flips", {
    baseline: membersText(baseline.members),
    other: membersText(winner.members),
    split,
  });
  return (
    <section>
      <h1 class="lead" tabIndex={-1}>
        {sentence}
      </h1>
      {rest !== "" && <p>{rest}</p>}
      <dl class="answers">
        <div>
          <dt>What won</dt>
          <dd>
            <strong>{winner.name}</strong>
            <span>
              {figure(headline.value)} {headline.metric} on {split}
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
              against {baseline.name}
              {headline.among && ` (${headline.among.against} of ${headline.among.count})`};{" "}
              <a href={flips}>which examples</a>
            </span>
          </dd>
        </div>
        <div>
          <dt>How surely</dt>
          <dd>
            <strong>{capitalized(words.verdict)}</strong>
            <Whisker
              difference={difference}
              interval={shown}
              reach={reachOf([{ difference, interval: shown }])}
            />
            <span>{shown === null ? "no interval" : `95 %: ${intervalText(shown)}`}</span>
            {words.reason !== null && <span>{words.reason}</span>}
            {words.help !== null && <span>{words.help}</span>}
          </dd>
        </div>
        <div>
          <dt>At what cost</dt>
          <dd>
            <strong>
              {metricCalls === null ? "Unknown" : counted(metricCalls, "metric call")}
            </strong>
            <span>{cost.join(", ")}</span>
          </dd>
        </div>
      </dl>
    </section>
  );
}
