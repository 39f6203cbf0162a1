import type { JSX } from "preact";
import type { ComparisonIndex, Member } from "../../data/comparison-index.ts";
import { counted, duration, figure } from "../../data/figure.ts";
import { useRollout } from "../../data/use-rollout.ts";
import { Quoted, QuotedJson } from "../../parts/quoted.tsx";
import type {
  LmCallRecord,
  PredictorTrace,
  RetrievalTrace,
  TraceNode,
} from "../../../../../../src/contract/index.ts";

/** One run: feedback, output and trace. */
export function Rollout({
  index,
  member,
  position,
}: {
  readonly index: ComparisonIndex;
  readonly member: Member;
  readonly position: number;
}): JSX.Element {
  const shown = useRollout(index, member, position);
  if (shown.state === "asked") return <p role="status">Replaying from recorded replies …</p>;
  if (shown.state === "missing") return <p class="hint">{shown.why}</p>;
  const { rollout } = shown;
  const { runs, value, feedback, blame = [], failure, output, trace } = rollout;
  return (
    <>
      {rollout.missing !== undefined && <p class="warning">{rollout.missing}</p>}
      {rollout.isDifferent === true && (
        <p class="warning">
          Replayed, it scores {figure(value)}, unlike the recorded run: the program, its metric or
          its data has changed since.
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
              <h4>Program notes</h4>
              <QuotedJson value={trace.notes} />
            </>
          )}
        </>
      )}
    </>
  );
}

/** What a run did, step by step; each step unfolds. */
function TraceTree({ nodes }: { readonly nodes: readonly TraceNode[] }): JSX.Element {
  return (
    <ul class="trace">
      {nodes.map((node) => (
        <li key={node.path}>
          {node.kind === "scope" ? (
            <>
              <span class="path">{node.path}</span>
              <TraceTree nodes={node.children} />
            </>
          ) : (
            <details>
              <summary>
                <span class="path">{node.path}</span>{" "}
                <span class="hint">
                  {node.failure === undefined ? "" : "failed, "}
                  {summaryOf(node)}
                </span>
              </summary>
              {node.failure !== undefined && <p class="warning">{node.failure.message}</p>}
              {node.kind === "predictor" ? <Prediction {...node} /> : <Retrieval {...node} />}
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function summaryOf(node: PredictorTrace | RetrievalTrace): string {
  const when = `${duration(node.latencyMs)}, starting at ${duration(node.startMs)}`;
  if (node.kind === "retrieval") return `${counted(node.results.length, "passage")}, ${when}`;
  const total = (of: (call: LmCallRecord) => number): number =>
    node.calls.reduce((sum, call) => sum + of(call), 0);
  const tokens = total(({ usage }) => (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0));
  const cached = total(({ usage }) => usage?.cachedPromptTokens ?? 0);
  const retries = total((call) => call.retries);
  return [
    counted(tokens, "token"),
    cached > 0 && `${counted(cached, "token")} from the prefix cache`,
    retries > 0 && counted(retries, "retry", "retries"),
    when,
  ]
    .filter(Boolean)
    .join(", ");
}

function Prediction({ inputs, outputs, calls, tools = [] }: PredictorTrace): JSX.Element {
  return (
    <>
      <h4>Inputs</h4>
      <QuotedJson value={inputs} />
      {outputs !== undefined && (
        <>
          <h4>Outputs</h4>
          <QuotedJson value={outputs} />
        </>
      )}
      {calls.map(({ rawText, reasoning, failure }, position) => (
        <div key={position}>
          <h4>{replyHeading(position, tools.length > 0)}</h4>
          {reasoning !== null && <Quoted text={reasoning} />}
          <Quoted text={rawText ?? failure?.message ?? "none"} />
        </div>
      ))}
      {tools.map(({ path, tool, input, output, error, startMs, latencyMs }) => (
        <div key={path}>
          <h4>
            Call to {tool}: {duration(latencyMs)}, starting at {duration(startMs)}
          </h4>
          <QuotedJson value={input} />
          {error === undefined ? <QuotedJson value={output ?? null} /> : <Quoted text={error} />}
        </div>
      ))}
    </>
  );
}

function replyHeading(position: number, isAgent: boolean): string {
  if (isAgent) return `Reply ${position + 1}`;
  return position === 0 ? "Reply" : "Reply to the correction";
}

function Retrieval({ query, k, retriever, results }: RetrievalTrace): JSX.Element {
  return (
    <>
      <p>
        {retriever}, {k} requested
      </p>
      <Quoted text={query} />
      <ol>
        {results.map(({ id, score }) => (
          <li key={id}>
            {id} <span class="hint">{score.toPrecision(4)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
