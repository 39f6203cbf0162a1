import type { JSX } from "preact";
import type { ReplayedRollout } from "../../../../report/index.ts";
import { figure } from "../../data/figure.ts";
import { Quoted, QuotedJson } from "../../parts/quoted.tsx";
import { TraceTree } from "./trace-tree.tsx";

/** One replayed run: feedback, output and trace. */
export function Rollout({
  rollout,
}: {
  readonly rollout: ReplayedRollout | undefined;
}): JSX.Element {
  if (rollout === undefined) {
    return <p class="hint">This run was not replayed for this report, so it has no trace here.</p>;
  }
  const { runs, value, feedback, blame = [], failure, output, trace } = rollout;
  return (
    <>
      {rollout.missing !== undefined && <p class="warning">{rollout.missing}</p>}
      {rollout.isDifferent === true && (
        <p class="warning">
          Replayed, it scores {figure(value)}, other than recorded: the program, its metric or its
          data has changed since.
        </p>
      )}
      {runs !== undefined && <p class="hint">The lowest of {runs} runs.</p>}
      {feedback !== undefined && (
        <>
          <h4>Feedback</h4>
          <Quoted text={feedback} />
        </>
      )}
      {failure !== undefined && <p class="warning">{failure.message}</p>}
      {blame.map(({ path, score, text }) => (
        <p key={path}>
          <strong>{path}</strong>
          {score !== undefined && ` (${figure(score)})`}: {text}
        </p>
      ))}
      {output !== undefined && (
        <>
          <h4>Output</h4>
          <QuotedJson value={output} />
        </>
      )}
      {trace !== undefined && (
        <>
          <h4>Trace</h4>
          <TraceTree nodes={trace.children} />
          {Object.keys(trace.notes).length > 0 && (
            <>
              <h4>Notes of the program</h4>
              <QuotedJson value={trace.notes} />
            </>
          )}
        </>
      )}
    </>
  );
}
