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
      "a line for each question; run it again to go on",
    ],
  ],
  compare: [
    ["compare .espalier/runs/ONE .espalier/runs/OTHER", "two runs"],
    ["compare before.json after.json --html report.html", "two files of eval --out, as a page"],
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
  "corpus search": [["corpus search corpus.sqlite --query 'old mills'", "its best passages"]],
  doctor: [["doctor --lm http://127.0.0.1:8000/v1", "what this server really supports"]],
  eval: [
    ["eval study.ts --lm http://127.0.0.1:8000/v1", "the score, and what failed"],
    ["eval study.ts --limit 5 --rehearsal", "a first look, without a model"],
    ["eval study.ts --split test --out before.json", "keep the result"],
    ["eval study.ts --split test --baseline before.json", "compare with it, paired by example"],
  ],
  experiment: [
    ["experiment table.ts --dry-run", "what it would cost; sends nothing"],
    ["experiment table.ts --lm http://127.0.0.1:8000/v1", "every row, then the table"],
  ],
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
      "all that a person wrote",
    ],
  ],
  init: [
    ["init my-project", "a project that runs at once"],
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
    ["optimize study.ts --resume .espalier/runs/RUN", "go on where a run was interrupted"],
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
  studio: [["studio", "everything below this folder, in a browser"]],
  worker: [
    [
      "worker study.ts --redis redis://127.0.0.1:6379 --lm http://127.0.0.1:8000/v1",
      "for eval and optimize with the same --redis",
    ],
  ],
  workers: [
    ["workers --redis redis://127.0.0.1:6379 --follow", "who works on what"],
    ["workers --redis redis://127.0.0.1:6379 --format metrics", "for Prometheus"],
  ],
};
