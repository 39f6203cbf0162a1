import type { CandidateRecord, RecordedRun } from "../optimizer/index.ts";
import { subjectOf } from "./run-text.ts";
import { runTree } from "./run-tree.ts";
import { wordDiff } from "./word-diff.ts";

/** A run as one page that needs nothing else: curve, tree, and what each candidate changed of its parent. */
export function runPage(folder: string, recorded: RecordedRun): string {
  const { candidates, refusals, spent, best, end } = recorded;
  const title = `Run ${folder}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escaped(title)}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
pre, .text { white-space: pre-wrap; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: 13px; }
del { background: #fdd; } ins { background: #dfd; text-decoration: none; }
svg { width: 100%; height: auto; } table { border-collapse: collapse; } td { padding: 0 .8rem .2rem 0; vertical-align: top; }
</style>
<h1>${escaped(title)}</h1>
<p>${escaped(subjectOf(recorded))}. ${spent.metricCalls} metric calls, ${spent.lmCalls} LM calls, ${spent.tokens} tokens; ${end === undefined ? "not ended" : `ended: ${escaped(end.reason)}${end.detail === undefined ? "" : ` (${escaped(end.detail)})`}`}.</p>
<h2>Value on val</h2>
${curve(candidates, spent.metricCalls)}
<h2>Candidates</h2>
<pre>${runTree(candidates)
    .map(({ indent, candidate: { id, selection, acceptance } }) => {
      const mark = id === best?.id ? " <b>best</b>" : "";
      return `${indent}<a href="#candidate-${id}">${id}</a>  ${selection.value.toFixed(4)}${mark}  ${escaped(acceptance.detail)}`;
    })
    .join("\n")}</pre>
${candidates.map((candidate) => section(candidate, candidates[candidate.parents[0] ?? -1])).join("\n")}
<h2>Refused</h2>
<table>${refusals
    .map(
      ({ iteration, components, reason, detail }) =>
        `<tr><td>${iteration}<td>${escaped(reason)}<td>${escaped(components.join(", "))}<td>${escaped(detail)}`,
    )
    .join("\n")}</table>
</html>
`;
}

function section(candidate: CandidateRecord, parent: CandidateRecord | undefined): string {
  const { id, parents, components } = candidate;
  const changes = components.flatMap((held, place) => {
    const { kind, path, value } = held;
    const before = parent?.components[place]?.value;
    if (parent !== undefined && JSON.stringify(before) === JSON.stringify(value)) return [];
    const diff = wordDiff(parent === undefined ? textOf(value) : textOf(before), textOf(value));
    return [
      `<h4>${escaped(`${kind}:${path}`)}</h4><div class="text">${diff
        .map(({ kind: part, text }) => {
          const tag = part === "same" ? "span" : part === "removed" ? "del" : "ins";
          return `<${tag}>${escaped(text)}</${tag}>`;
        })
        .join("")}</div>`,
    ];
  });
  const heading = parent === undefined ? "the seed" : `from ${parents.join(" and ")}`;
  return `<h3 id="candidate-${id}">Candidate ${id}, ${heading}</h3>\n${changes.join("\n")}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

const [width, height, margin] = [720, 240, 36] as const;

/** Each candidate where its evaluation began, in metric calls, and a line through the best so far. */
function curve(candidates: readonly CandidateRecord[], metricCalls: number): string {
  const values = candidates.map(({ selection }) => selection.value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spread = high - low || 1;
  const x = (calls: number): number =>
    margin + ((width - 2 * margin) * calls) / Math.max(1, metricCalls);
  const y = (value: number): number =>
    height - margin - ((height - 2 * margin) * (value - low)) / spread;
  let soFar = -Infinity;
  const line = candidates.flatMap(({ metricCallsBefore, selection: { value } }) => {
    if (value <= soFar) return [];
    const from = soFar === -Infinity ? value : soFar;
    soFar = value;
    return [
      `${x(metricCallsBefore).toFixed(1)},${y(from).toFixed(1)}`,
      `${x(metricCallsBefore).toFixed(1)},${y(value).toFixed(1)}`,
    ];
  });
  const end =
    candidates.length === 0 ? [] : [`${x(metricCalls).toFixed(1)},${y(soFar).toFixed(1)}`];
  const dots = candidates.map(
    ({ id, metricCallsBefore, selection: { value } }) =>
      `<circle cx="${x(metricCallsBefore).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3"><title>${id}: ${value.toFixed(4)}</title></circle>`,
  );
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Value on val over metric calls">
<polyline fill="none" stroke="currentColor" points="${[...line, ...end].join(" ")}"/>
${dots.join("\n")}
<text x="${margin}" y="${height - 8}" font-size="12">0</text>
<text x="${width - margin}" y="${height - 8}" font-size="12" text-anchor="end">${metricCalls} metric calls</text>
<text x="0" y="${margin}" font-size="12">${candidates.length === 0 ? "" : high.toFixed(2)}</text>
<text x="0" y="${height - margin}" font-size="12">${candidates.length === 0 ? "" : low.toFixed(2)}</text>
</svg>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
