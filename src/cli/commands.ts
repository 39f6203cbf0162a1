import type { AnyCommand } from "./arguments/arguments.ts";

export interface ListedCommand {
  readonly description: string;
  /** Its code and all that it needs: most of a start, so that one command does not pay for the others. */
  readonly load: () => Promise<AnyCommand>;
}

/** All commands, by name; each gets name and description from here. */
export const commands: Readonly<Record<string, ListedCommand>> = {
  artifact: {
    description: "Keep, compare, promote and check compiled programs",
    load: async () => (await import("./artifact/artifact-command.ts")).artifactSubcommand,
  },
  batch: {
    description: "Answer a file of questions with a chat model",
    load: async () => (await import("./batch/batch-command.ts")).batchSubcommand,
  },
  corpus: {
    description: "Build, inspect and search the index of a corpus",
    load: async () => (await import("./corpus/corpus-command.ts")).corpusSubcommand,
  },
  doctor: {
    description: "Find out by trying what a server can do",
    load: async () => (await import("./doctor/doctor-command.ts")).doctorSubcommand,
  },
  eval: {
    description: "Evaluate a study's program and list its failures",
    load: async () => (await import("./eval/eval-command.ts")).evalSubcommand,
  },
  feedback: {
    description: "Sum up, export and erase what people said of answers",
    load: async () => (await import("./feedback/feedback-command.ts")).feedbackSubcommand,
  },
  optimize: {
    description: "Optimize a study's program and report on its test split",
    load: async () => (await import("./optimize/optimize-command.ts")).optimizeSubcommand,
  },
  rollout: {
    description: "Look at candidates that a server tries",
    load: async () => (await import("./rollout/rollout-command.ts")).rolloutSubcommand,
  },
  run: {
    description: "Run a program on one input and print its output as JSON",
    load: async () => (await import("./run/run-command.ts")).runSubcommand,
  },
  serve: {
    description: "Serve programs as chat models, with OpenAI's routes",
    load: async () => (await import("./serve/serve-command.ts")).serveSubcommand,
  },
  show: {
    description: "Show a study, a run, an artifact, one of their prompts, or a saved result",
    load: async () => (await import("./show/show-command.ts")).showSubcommand,
  },
};
