import type { AnyCommand } from "./arguments/arguments.ts";

export interface ListedCommand {
  readonly description: string;
  /** Imports the command. Loading code dominates startup, so each command loads only its own. */
  readonly load: () => Promise<AnyCommand>;
}

/** All commands by name. This table supplies each command's name and description. */
export const commands: Readonly<Record<string, ListedCommand>> = {
  artifact: {
    description: "Store, compare, promote and verify compiled programs",
    load: async () => (await import("./artifact/artifact-command.ts")).artifactSubcommand,
  },
  batch: {
    description: "Answer a file of questions with a chat model",
    load: async () => (await import("./batch-command.ts")).batchSubcommand,
  },
  compare: {
    description: "Compare runs, results and artifacts: what won, by how much, at what cost",
    load: async () => (await import("./compare/compare-command.ts")).compareSubcommand,
  },
  corpus: {
    description: "Build, inspect and search a corpus index",
    load: async () => (await import("./corpus/corpus-command.ts")).corpusSubcommand,
  },
  doctor: {
    description: "Probe a server and report what it supports",
    load: async () => (await import("./doctor/doctor-command.ts")).doctorSubcommand,
  },
  eval: {
    description: "Evaluate a study's program and list its failures",
    load: async () => (await import("./eval/eval-command.ts")).evalSubcommand,
  },
  experiment: {
    description: "Run a table of studies under one budget, beside published figures",
    load: async () => (await import("./experiment/experiment-command.ts")).experimentSubcommand,
  },
  feedback: {
    description: "Summarize, export and erase user feedback",
    load: async () => (await import("./feedback-command.ts")).feedbackSubcommand,
  },
  init: {
    description: "Start a project that runs at once",
    load: async () => (await import("./init/init-command.ts")).initSubcommand,
  },
  mlflow: {
    description: "Send a run or a result to an MLflow server",
    load: async () => (await import("./mlflow/mlflow-command.ts")).mlflowSubcommand,
  },
  optimize: {
    description: "Optimize a study's program and report on its test split",
    load: async () => (await import("./optimize/optimize-command.ts")).optimizeSubcommand,
  },
  rollout: {
    description: "Inspect the candidates that a server is trying",
    load: async () => (await import("./rollout/rollout-command.ts")).rolloutSubcommand,
  },
  run: {
    description: "Run a program on one input and print its output as JSON",
    load: async () => (await import("./run/run-command.ts")).runSubcommand,
  },
  serve: {
    description: "Serve programs as chat models over OpenAI-compatible routes",
    load: async () => (await import("./serve/serve-command.ts")).serveSubcommand,
  },
  servers: {
    description: "Show which server plays which part, and examine them all",
    load: async () => (await import("./doctor/servers-command.ts")).serversSubcommand,
  },
  show: {
    description: "Show a study, a run, an artifact, one of their prompts, or a saved result",
    load: async () => (await import("./show/show-command.ts")).showSubcommand,
  },
  studio: {
    description: "Show all runs, results, artifacts and registries below a folder as pages, live",
    load: async () => (await import("./studio/studio-command.ts")).studioSubcommand,
  },
  worker: {
    description: "Run a study's examples for others, over Redis",
    load: async () => (await import("./workers/worker-command.ts")).workerSubcommand,
  },
  workers: {
    description: "Show which workers there are, and what they do",
    load: async () => (await import("./workers/workers-command.ts")).workersSubcommand,
  },
};
