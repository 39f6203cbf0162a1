import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { vi } from "vitest";
import { clauseReader } from "../../packages/rehearsal/src/steering/index.ts";
import { textReader } from "../../packages/rehearsal/src/text/index.ts";

type Exports = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

/** Calls that make a file build its expressions, where loading it does not. */
const calls: Readonly<Record<string, (exports: Exports) => void>> = {
  "programs/ails-ntua/answerability/keyword-overlap.ts": ({ keywordOverlap }) => {
    keywordOverlap?.("What?", ["text"]);
  },
  "programs/ails-ntua/generation/clean.ts": ({ clean }) => {
    clean?.("an answer");
  },
  "programs/ails-ntua/generation/phrases.ts": (exports) => {
    exports["hasForbiddenPhrase"]?.("an answer");
    exports["withoutForbiddenPhrases"]?.("an answer");
    exports["isPureRefusal"]?.("an answer", 5);
    exports["isRefusalWithoutData"]?.("I do not know", 5);
  },
  "programs/ails-ntua/generation/question-type.ts": ({ questionType }) => {
    questionType?.("Does one go there by train?", { summaries: "stem" });
  },
  "programs/ails-ntua/python-text.ts": ({ pythonPattern }) => {
    pythonPattern?.(String.raw`\b\w+\s+\d\b`);
  },
  "src/internal/text/lines.ts": ({ lineEscaper, withoutTags }) => {
    lineEscaper?.("=== ");
    withoutTags?.("<text>");
  },
  "src/internal/text/without-chat-tokens.ts": ({ withoutChatTokens }) => {
    withoutChatTokens?.("<s>[INST]");
  },
  "src/optimizer/proposal/text/shown-text.ts": ({ escapedLines }) => {
    for (const part of ["heading", "passage", "turn", "item"]) escapedLines?.("text", part);
  },
  "packages/rehearsal/src/ability/reply/offered-words.ts": ({ yesOrNo }) => {
    yesOrNo?.("Say what you think.");
  },
  "packages/rehearsal/src/ability/reply/patterned-text.ts": ({ patternedText }) => {
    patternedText?.(String.raw`^\d{4}-\d{2}$`, "In 2026-01.");
  },
  "packages/rehearsal/src/ability/question/label-kinds.ts": ({ labelKinds }) => {
    labelKinds?.(["single_step", "multi"], "no label here", clauseReader(textReader()));
  },
  "packages/rehearsal/src/reflection/prefer-labels.ts": ({ preferLabels }) => {
    const one = { outputs: ["quay"], feedback: { remarks: "Nothing.", wanted: "harbour" } };
    preferLabels?.([one, one], new Set(), textReader());
  },
};

/**
 * The expressions that a file builds when it is loaded and called, and not those of other packages.
 */
export async function recordedExpressions(file: string): Promise<readonly RegExp[]> {
  const found = new Map<string, RegExp>();
  const Native = globalThis.RegExp;
  vi.resetModules();
  globalThis.RegExp = new Proxy(Native, {
    construct(target, given, newTarget): RegExp {
      const expression = Reflect.construct(target, given, newTarget) as RegExp;
      const [, , caller = "", further = ""] = (new Error().stack ?? "").split("\n");
      if (`${caller}\n${further}`.includes(file)) found.set(String(expression), expression);
      return expression;
    },
  });
  try {
    const exports = (await import(pathToFileURL(resolve(file)).href)) as Exports;
    calls[file]?.(exports);
  } finally {
    globalThis.RegExp = Native;
  }
  return [...found.values()];
}
