import { agentCalls, capabilityNames, recommendedOptions } from "../../lm/index.ts";
import type { ServerExamination } from "../../lm/index.ts";
import { joinLines } from "../terminal/join-lines.ts";

/**
 * Formats a server's capabilities: a table, then how requests will be sent, then what probing cost.
 */
export function examinationText(
  examination: ServerExamination,
  { path, nowMs }: { readonly path: string | undefined; readonly nowMs: number },
): string {
  const { baseUrl, model, version, maxModelLength, capabilities, spent } = examination;
  const states = { supported: "yes", unsupported: "no", unknown: "unknown" } as const;
  const rows = capabilityNames.map((name) => {
    const { state, evidence } = capabilities[name];
    return `${wordsOf(name).padEnd(19)} ${states[state].padEnd(8)} ${evidence}`;
  });
  const agents = agentCalls(examination);
  const others = examination.models.filter((id) => id !== model);
  return joinLines([
    `${model} at ${baseUrl}`,
    `version ${version ?? "unknown"}, context of ${maxModelLength ?? "unknown"} tokens` +
      (others.length === 0 ? "" : `, also offers ${others.join(", ")}`),
    "",
    ...rows,
    "",
    `Requests use the dialect \`${examination.dialect}\` and control thinking with ${thinkingText(examination)}.`,
    `Agents should ask for tools with \`calls: "${agents.calls}"\`: ${agents.reason}.`,
    ...recommendedText(examination),
    `Probed ${ageText(nowMs - Date.parse(examination.examinedAt))} with ${spent.calls} calls, ${spent.promptTokens} prompt and ${spent.completionTokens} completion tokens` +
      (path === undefined ? "; --fresh probes again." : `; stored in ${path}.`),
  ]);
}

function recommendedText(examination: ServerExamination): readonly string[] {
  const options = recommendedOptions(examination);
  if (options.length === 0) return [];
  return [
    "To get more from this server, start it with these options as well:",
    `  ${options.map(({ option }) => option).join(" ")}`,
    ...options.map(({ option, reason }) => `  without ${option.split(" ")[0]}: ${reason}`),
  ];
}

/** `contextOverflow` as "context overflow". */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function thinkingText({ thinkingTemplate, dialect }: ServerExamination): string {
  if (thinkingTemplate !== null) return `\`${thinkingTemplate}\``;
  return `the dialect's default key, \`${dialect === "vllm" ? "enableThinking" : "reasoningEffort"}\`, since the probes found no evidence`;
}

function ageText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 120) return `${minutes} minutes ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours ago` : `${Math.round(hours / 24)} days ago`;
}
