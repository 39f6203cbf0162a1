import type { AnyCommand } from "./arguments/arguments.ts";
import { command } from "./arguments/command.ts";

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
    load: async () =>
      command({
        args: (await import("./eval/eval-arguments.ts")).evalArguments,
        run: async (given) => (await import("./eval/run-evaluation.ts")).runEvaluation(given),
      }),
  },
  experiment: {
    description: "Run a table of studies under one budget, alongside published figures",
    load: async () => (await import("./experiment/experiment-command.ts")).experimentSubcommand,
  },
  feedback: {
    description: "Summarize, export and erase user feedback",
    load: async () => (await import("./feedback-command.ts")).feedbackSubcommand,
  },
  headroom: {
    description: "Estimate from about 120 runs whether optimizing a study is worth it",
    load: async () =>
      command({
        args: (await import("./headroom/headroom-arguments.ts")).headroomArguments,
        run: async (given) => (await import("./headroom/run-headroom.ts")).runHeadroom(given),
      }),
  },
  init: {
    description: "Create a ready-to-run project",
    load: async () =>
      command({
        args: (await import("./init/init-arguments.ts")).initArguments,
        run: async (given) => (await import("./init/start-project.ts")).startProject(given),
      }),
  },
  mlflow: {
    description: "Send a run or a result to an MLflow server",
    load: async () =>
      command({
        args: (await import("./mlflow/mlflow-arguments.ts")).mlflowArguments,
        run: async (given) => (await import("./mlflow/send-to-mlflow.ts")).sendToMlflow(given),
      }),
  },
  models: {
    description: "List, fetch and remove the weights of local models",
    load: async () => (await import("./models/models-command.ts")).modelsSubcommand,
  },
  optimize: {
    description: "Optimize a study's program and report on its test split",
    load: async () =>
      command({
        args: (await import("./optimize/optimize-arguments.ts")).optimizeArguments,
        run: async ({ resume }, rawArgs) =>
          (await import("./optimize/run-optimization.ts")).planOrOptimize(rawArgs, resume),
      }),
  },
  rollout: {
    description: "Inspect the candidates that a server is trying out",
    load: async () => (await import("./rollout/rollout-command.ts")).rolloutSubcommand,
  },
  run: {
    description: "Run a program on one input and print its output as JSON",
    load: async () =>
      command({
        args: (await import("./run/run-arguments.ts")).runArguments,
        run: async (given) => (await import("./run/run-program.ts")).runProgram(given),
      }),
  },
  serve: {
    description: "Serve programs as chat models over OpenAI-compatible routes",
    load: async () => (await import("./serve/serve-command.ts")).serveSubcommand,
  },
  servers: {
    description: "Show which server plays which part, and check them all",
    load: async () => (await import("./doctor/servers-command.ts")).serversSubcommand,
  },
  show: {
    description: "Show a study, a run, an artifact, one of their prompts, or a saved result",
    load: async () => (await import("./show/show-command.ts")).showSubcommand,
  },
  split: {
    description: "Divide a file of rows into train, val and test",
    load: async () => (await import("./split-command.ts")).splitSubcommand,
  },
  studio: {
    description: "Serve live pages of all runs, results, artifacts and registries in a folder",
    load: async () => (await import("./studio/studio-command.ts")).studioSubcommand,
  },
  worker: {
    description: "Run a study's examples for other processes, over Redis",
    load: async () =>
      command({
        args: (await import("./workers/worker-arguments.ts")).workerArguments,
        run: async (given) => (await import("./workers/run-worker.ts")).runWorker(given),
      }),
  },
  workers: {
    description: "Show the workers and what they are doing",
    load: async () => (await import("./workers/workers-command.ts")).workersSubcommand,
  },
};

/** A command line that a reader can paste after changing names, and what it is for. */
export type Example = readonly [words: string, about: string];

/**
 * Examples for the help of every command, by its words after `espalier`. They are printed in the
 * reference too, where a test checks that commands and options exist.
 */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  "artifact list": [["artifact list", "every program's versions, and which are promoted"]],
  "artifact show": [["artifact show answerer", "what is in production"]],
  "artifact diff": [
    ["artifact diff answerer production candidate", "what a promotion would change"],
  ],
  "artifact add": [["artifact add .espalier/runs/RUN/artifact.json", "a result of optimize"]],
  "artifact promote": [
    ["artifact promote answerer 3f9c --to production", "a version, by its first digits"],
  ],
  "artifact rollback": [["artifact rollback answerer", "what was in production before"]],
  "artifact withdraw": [["artifact withdraw answerer", "end the trial of a candidate"]],
  "artifact verify": [
    ["artifact verify answerer production", "whether its prompts are as recorded"],
  ],
  "artifact export": [["artifact export answerer production", "its prompts, for other code"]],
  batch: [
    [
      "batch serving.ts --model answerer --input questions.jsonl --out answers.jsonl",
      "one line per question; run it again to continue",
    ],
  ],
  compare: [
    ["compare .espalier/runs/ONE .espalier/runs/OTHER", "two runs"],
    ["compare before.json after.json --html report.html", "two results of eval, as a page"],
  ],
  "corpus build": [
    ["corpus build passages.jsonl --out corpus.sqlite", "an index of passages"],
    [
      "corpus build passages.jsonl --out postgres://me@db/towns --embed",
      "in PostgreSQL, with vectors",
    ],
    ["corpus build passages.jsonl --out lance:towns", "in LanceDB"],
  ],
  "corpus inspect": [["corpus inspect corpus.sqlite", "how many passages, from where"]],
  "corpus search": [["corpus search corpus.sqlite --query 'old mills'", "the best matches"]],
  doctor: [["doctor --lm http://127.0.0.1:8000/v1", "what this server really supports"]],
  eval: [
    ["eval study.ts --lm http://127.0.0.1:8000/v1", "the score, and what failed"],
    ["eval study.ts --limit 5 --rehearsal", "a first look, without a model"],
    ["eval study.ts --split test --out before.json", "keep the result"],
    ["eval study.ts --split test --baseline before.json", "compare with it, paired by example"],
  ],
  experiment: [
    ["experiment table.ts --sample 10", "a trial on a few examples"],
    ["experiment table.ts --lm http://127.0.0.1:8000/v1", "every row, then the table"],
  ],
  "models list": [["models list", "names for `local:`, and which are fetched"]],
  "models pull": [
    ["models pull qwen-coder-0.5b", "before its first use"],
    ["models pull hf:OWNER/REPO/FILE.gguf", "from Hugging Face"],
  ],
  "models remove": [["models remove qwen-coder-0.5b", "free the space"]],
  "feedback summary": [
    ["feedback summary .espalier/serve/answerer/feedback.sqlite", "ratings by version"],
  ],
  "feedback to-trainset": [
    [
      "feedback to-trainset .espalier/serve/answerer/feedback.sqlite --out rated.jsonl",
      "as examples",
    ],
  ],
  "feedback erase": [
    [
      "feedback erase .espalier/serve/answerer/feedback.sqlite --user u-17",
      "all answers to one user",
    ],
  ],
  headroom: [
    ["headroom study.ts --lm http://127.0.0.1:8000/v1", "whether a search is worth it"],
    ["headroom study.ts --calls 300 --lm http://127.0.0.1:8000/v1", "on more rows"],
  ],
  init: [
    ["init my-project", "a ready-to-run project"],
    ["init my-project --template rag --yes", "without questions"],
  ],
  mlflow: [["mlflow .espalier/runs/RUN --url http://127.0.0.1:5000", "a run that has ended"]],
  optimize: [
    ["optimize study.ts --budget small --rehearsal", "a whole search, without a model"],
    [
      "optimize study.ts --budget 500 --plan --lm http://127.0.0.1:8000/v1",
      "what it would do; sends nothing",
    ],
    ["optimize study.ts --budget 500 --lm http://127.0.0.1:8000/v1", "search, and report on test"],
    ["optimize study.ts --resume .espalier/runs/RUN", "continue an interrupted run"],
  ],
  "rollout show": [["rollout show --state .espalier/serve/answerer", "the evidence so far"]],
  run: [
    ['run study.ts --input \'{"question":"When was the mill built?"}\' --rehearsal', "as declared"],
    ["run artifact.json --input @input.json --lm http://127.0.0.1:8000/v1", "as optimized"],
  ],
  serve: [
    ["serve artifact.json --lm http://127.0.0.1:8000/v1", "one program, as it was compiled"],
    ["serve serving.ts --artifacts artifacts --port 8080", "what a registry has in production"],
  ],
  servers: [["servers", "which server plays which part"]],
  show: [
    ["show study.ts", "what a study declares"],
    ["show .espalier/runs/RUN --html report.html", "a run, as one page"],
    ["show study.ts --predictor answer --input @input.json", "the exact prompt, without a call"],
  ],
  split: [
    ["split rows.csv --labels answer --to examples", "60 % train, 20 % val, 20 % test"],
    [
      "split rows.jsonl --labels answer --cluster customer --shares 300,100,100",
      "no customer in two splits",
    ],
  ],
  studio: [["studio", "everything under this folder, in a browser"]],
  worker: [
    [
      "worker study.ts --redis redis://127.0.0.1:6379 --lm http://127.0.0.1:8000/v1",
      "for eval and optimize with the same --redis",
    ],
  ],
  workers: [["workers --redis redis://127.0.0.1:6379 --follow", "which worker is doing what"]],
};
