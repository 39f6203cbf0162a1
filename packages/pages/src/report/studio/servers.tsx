import type { JSX } from "preact";
import type {
  ListedPreference,
  ListedServer,
  ListedTrial,
} from "../../../../../src/report-page/index.ts";
import { counted, figure, intervalText } from "../data/figure.ts";
import { WideTable } from "../parts/wide-table.tsx";

/** What servers keep: candidates on trial, and ratings. */
export function Servers({
  servers,
}: {
  readonly servers: readonly ListedServer[];
}): JSX.Element | null {
  if (servers.length === 0) return null;
  return (
    <section>
      <h2>Serving</h2>
      {servers.map((server) => (
        <div key={server.id}>
          <h3>{server.id}</h3>
          {server.problem !== undefined && <p class="warning">{server.problem}</p>}
          {server.kind === "state" ? (
            <Trials trials={server.trials} label={`Trials in ${server.id}`} />
          ) : (
            <Preferences preferences={server.preferences} label={`Ratings in ${server.id}`} />
          )}
        </div>
      ))}
    </section>
  );
}

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

function Trials({
  trials,
  label,
}: {
  readonly trials: readonly ListedTrial[];
  readonly label: string;
}): JSX.Element {
  if (trials.length === 0) return <p>No candidate has been tried yet.</p>;
  return (
    <WideTable
      label={label}
      columns={[
        "Candidate",
        "State",
        { number: "Mean score" },
        { number: "Baseline’s mean score" },
        "Evidence",
      ]}
    >
      {trials.map((trial) => (
        <TrialRow key={`${trial.model} ${trial.candidate} ${trial.startedAt}`} trial={trial} />
      ))}
    </WideTable>
  );
}

function TrialRow({ trial }: { readonly trial: ListedTrial }): JSX.Element {
  const { model, candidate, baseline, status, canary, shadow, arms, evidence, finding } = trial;
  const shares = [
    ...(canary > 0 ? [`canary ${percent.format(canary)}`] : []),
    ...(shadow > 0 ? [`shadow ${percent.format(shadow)}`] : []),
  ];
  return (
    <tr>
      <th scope="row">
        {model}@{candidate}
        <span class="under">against {baseline}</span>
      </th>
      <td>
        {status === "running" ? "open" : status}
        <span class="under">{[...shares, `since ${trial.startedAt.slice(0, 10)}`].join(", ")}</span>
        {trial.why !== null && <span class="under">{trial.why}</span>}
      </td>
      {[arms.candidate, arms.baseline].map(({ keys, meanScore }, position) => (
        <td key={position} class="number">
          {figure(meanScore)}
          <span class="under">
            {counted(keys, "user or conversation", "users or conversations")}
          </span>
        </td>
      ))}
      <td>
        {finding}
        <span class="under">
          worse {figure(evidence.worse)}, better {figure(evidence.better)};{" "}
          {figure(evidence.decides)} decides
        </span>
      </td>
    </tr>
  );
}

function Preferences({
  preferences,
  label,
}: {
  readonly preferences: readonly ListedPreference[];
  readonly label: string;
}): JSX.Element {
  if (preferences.length === 0) return <p>No answers are stored.</p>;
  return (
    <WideTable
      label={label}
      columns={["Version", { number: "Answers" }, { number: "Up, down" }, { number: "Approval" }]}
    >
      {preferences.map(({ model, version, completions, up, down, share }) => (
        <tr key={`${model} ${version}`}>
          <th scope="row">
            {model}@{version}
          </th>
          <td class="number">{completions}</td>
          <td class="number">
            {up}, {down}
          </td>
          <td class="number">
            {figure(share?.value)}
            <span class="under">{intervalText(share?.interval ?? null)}</span>
          </td>
        </tr>
      ))}
    </WideTable>
  );
}
