import type { RefusalReason } from "../candidate-record.ts";

export type CheckedProposal =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly reason: RefusalReason;
      readonly detail: string;
      readonly text: string;
    };

/** Refuses a proposed text that no rollout should be spent on. */
export function checkProposal(
  proposed: string,
  {
    current,
    isTried,
    maxLength,
  }: {
    readonly current: string;
    readonly isTried: (text: string) => boolean;
    /** In UTF-16 code units. */
    readonly maxLength: number;
  },
): CheckedProposal {
  const text = unfenced(proposed.trim());
  const refuse = (reason: RefusalReason, detail: string): CheckedProposal => {
    return { ok: false, reason, detail, text };
  };
  if (text === "") return refuse("empty", "The proposed text is empty.");
  if (/<\/?think(?:ing)?>/i.test(text)) {
    return refuse("polluted", "The proposed text holds a thinking tag.");
  }
  if (text.length > maxLength) {
    return refuse(
      "too-long",
      `The proposed text has ${text.length} characters; at most ${maxLength} are allowed.`,
    );
  }
  if (spaceless(text) === spaceless(current)) {
    return refuse("unchanged", "The proposed text is the current one.");
  }
  if (isTried(text)) {
    return refuse("already-tried", "The same text was tried from here before.");
  }
  return { ok: true, text };
}

/** A text that a model put into a code fence, without it. */
function unfenced(text: string): string {
  return (/^```[a-z]*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text).trim();
}

function spaceless(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
