/**
 * What a server of MLflow 3.17 takes of each text, in characters. It cuts longer values of tags and
 * parameters without a word, and refuses longer prompts.
 */
const longest = { tag: 5_000, param: 6_000, prompt: 100_000, name: 250 } as const;

/** How many items one request of `runs/log-batch` may hold. */
export const batchLimits = { metrics: 1_000, params: 100, tags: 100 } as const;

/** Cuts where the server would, and says so at the end. */
export function withinLimit(text: string, of: keyof typeof longest): string {
  if (text.length <= longest[of]) return text;
  const note = ` [cut: ${text.length} characters]`;
  return `${text.slice(0, longest[of] - note.length).toWellFormed()}${note}`;
}

/** Whether a prompt is short enough to be registered; it is never cut. */
export function fitsPrompt(text: string): boolean {
  return text.length <= longest.prompt;
}

/** A metric's name as the server takes it: `recall@10` becomes `recall_10`. */
export function metricName(name: string): string {
  return withinLimit(name.replaceAll(/[^\w/.\- ]/g, "_"), "name");
}

/** The name of a registered prompt as the server takes it. */
export function promptName(name: string): string {
  return name.replaceAll(/[^\w.-]/g, "_");
}
