import { createHash } from "node:crypto";
import { valueText } from "../reports/value-text.ts";
import { componentId } from "../../internal/index.ts";
import type { CandidateRecord, RecordedRun } from "../../optimizer/index.ts";
import { Markup, markup } from "./markup.ts";
import { subjectOf } from "./run-text.ts";
import { runTree } from "./run-tree.ts";
import { searchText } from "../terminal/search-text.ts";
import { comparedText } from "../terminal/demonstrations-text.ts";
import type { DiffPart } from "../../word-diff/index.ts";
import { wordDiff } from "../../word-diff/index.ts";

const style = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
pre, .text { white-space: pre-wrap; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: 13px; }
del { background: #fdd; } ins { background: #dfd; text-decoration: none; }
svg { width: 100%; height: auto; } table { border-collapse: collapse; } td { padding: 0 .8rem .2rem 0; vertical-align: top; }
`;
const styleHash = createHash("sha256").update(style).digest("base64");
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

/**
 * A run as one self-contained page: curve, tree, and how each candidate differs from its parent.
 */
export function runPage(folder: string, recorded: RecordedRun): string {
  const { searches, candidates, refusals, spent, best, end } = recorded;
  const title = `Run ${folder}`;
  const detail = end?.detail === undefined ? "" : ` (${end.detail})`;
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>${new Markup(style)}</style>
<h1>${title}</h1>
<p>${subjectOf(recorded)}. ${spent.metricCalls} metric calls, ${spent.lmCalls} LM calls, ${spent.tokens} tokens; ${end === undefined ? "not ended" : `ended: ${end.reason}${detail}`}.</p>
${searches.map((search) => markup`<p>${searchText(search)}</p>`)}
<h2>Value on val, estimated where a candidate was run on part of it</h2>
${curve(candidates, spent.metricCalls)}
<h2>Candidates</h2>
<pre>${runTree(candidates).map(
    ({ indent, candidate: { id, selection, acceptance } }) =>
      markup`${indent}<a href="#candidate-${id}">${id}</a>  ${valueText(selection, candidates[0])}${id === best?.id ? markup` <b>best</b>` : ""}  ${acceptance.detail}`,
  )}</pre>
${candidates.map((candidate) => section(candidate, candidates[candidate.parents[0] ?? -1]))}
<h2>Rejected</h2>
<table>${refusals.map(
    ({ iteration, components, reason, detail: why }) =>
      markup`<tr><td>${iteration}<td>${reason}<td>${components.join(", ")}<td>${why}`,
  )}</table>
</html>
`.toString();
}

function section(candidate: CandidateRecord, parent: CandidateRecord | undefined): Markup {
  const { id, parents, components } = candidate;
  const changes = components.flatMap((held, place) => {
    const now = comparedText(held);
    const before = parent === undefined ? now : comparedText(parent.components[place]);
    if (parent !== undefined && before === now) return [];
    const diff = wordDiff(before, now);
    const parts = diff.map(({ kind: part, text }) => partOf[part](text)).join("");
    return [markup`<h4>${componentId(held)}</h4><div class="text">${new Markup(parts)}</div>`];
  });
  const heading = parent === undefined ? "the seed" : `from ${parents.join(" and ")}`;
  return markup`<h3 id="candidate-${id}">Candidate ${id}, ${heading}</h3>\n${changes}`;
}

const partOf: Readonly<Record<DiffPart["kind"], (text: string) => Markup>> = {
  same: (text) => markup`<span>${text}</span>`,
  removed: (text) => markup`<del>${text}</del>`,
  added: (text) => markup`<ins>${text}</ins>`,
};

const [width, height, margin] = [720, 240, 36] as const;

/**
 * Plots each candidate at the metric call where its evaluation began, and a line of the best so
 * far.
 */
function curve(candidates: readonly CandidateRecord[], metricCalls: number): Markup {
  let [low, high] = [Infinity, -Infinity];
  for (const { selection } of candidates) {
    low = Math.min(low, selection.value);
    high = Math.max(high, selection.value);
  }
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
    ({ id, metricCallsBefore, selection }) =>
      markup`<circle cx="${x(metricCallsBefore).toFixed(1)}" cy="${y(selection.value).toFixed(1)}" r="3"><title>${id}: ${valueText(selection, candidates[0])}</title></circle>`,
  );
  return markup`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Value on val, in part estimated, over metric calls">
<polyline fill="none" stroke="currentColor" points="${[...line, ...end].join(" ")}"/>
${dots}
<text x="${margin}" y="${height - 8}" font-size="12">0</text>
<text x="${width - margin}" y="${height - 8}" font-size="12" text-anchor="end">${metricCalls} metric calls</text>
<text x="0" y="${margin}" font-size="12">${candidates.length === 0 ? "" : high.toFixed(2)}</text>
<text x="0" y="${height - margin}" font-size="12">${candidates.length === 0 ? "" : low.toFixed(2)}</text>
</svg>`;
}
