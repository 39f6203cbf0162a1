import type { JSX } from "preact";
import type { PredictorTrace, RetrievalTrace, TraceNode } from "../../../../contract/index.ts";
import { counted, duration } from "../../data/figure.ts";
import { Quoted, QuotedJson } from "../../parts/quoted.tsx";

/** What a run did, step by step; each step unfolds. */
export function TraceTree({ nodes }: { readonly nodes: readonly TraceNode[] }): JSX.Element {
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
  if (node.kind === "retrieval") {
    return `${counted(node.results.length, "passage")}, ${duration(node.latencyMs)}`;
  }
  const tokens = node.calls.reduce(
    (sum, { usage }) => sum + (usage === null ? 0 : usage.promptTokens + usage.completionTokens),
    0,
  );
  return `${counted(tokens, "token")}, ${duration(node.latencyMs)}`;
}

function Prediction({ inputs, outputs, calls }: PredictorTrace): JSX.Element {
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
      {calls.map(({ rawText, reasoning, failure }, place) => (
        <div key={place}>
          <h4>{place === 0 ? "Reply" : "Reply to the correction"}</h4>
          {reasoning !== null && <Quoted text={reasoning} />}
          <Quoted text={rawText ?? failure?.message ?? "none"} />
        </div>
      ))}
    </>
  );
}

function Retrieval({ query, k, retriever, results }: RetrievalTrace): JSX.Element {
  return (
    <>
      <p>
        {retriever}, {k} asked for
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
