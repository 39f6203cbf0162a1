import type { JSX } from "preact";
import type { ComparisonIndex, Member } from "../../data/comparison-index.ts";
import { figure } from "../../data/figure.ts";
import { useRollout } from "../../data/use-rollout.ts";
import { Quoted, QuotedJson } from "../../parts/quoted.tsx";
import { TraceTree } from "./trace-tree.tsx";

/** One run: feedback, output and trace. */
export function Rollout({
  index,
  member,
  place,
}: {
  readonly index: ComparisonIndex;
  readonly member: Member;
  readonly place: number;
}): JSX.Element {
  const shown = useRollout(index, member, place);
  if (shown.state === "asked") return <p role="status">Replaying from recorded replies …</p>;
  if (shown.state === "missing") return <p class="hint">{shown.why}</p>;
  const { rollout } = shown;
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
