import type { ParsedArgs } from "citty";

/** The name of an experiment, for every command that speaks to MLflow. */
export const experimentArgument = {
  type: "string",
  description: "Name of MLflow's experiment, which is made if it does not exist",
  valueHint: "NAME",
  default: "espalier",
} as const;

const server = {
  mlflow: {
    type: "string",
    description:
      "MLflow server that shows the work while it goes on; nothing waits for it, and `espalier mlflow` sends what it did not take",
    valueHint: "URL",
  },
} as const;

const others = {
  otlp: {
    type: "string",
    description:
      "Endpoint that takes traces as OTLP over HTTP; defaults to OTEL_EXPORTER_OTLP_ENDPOINT",
    valueHint: "URL",
  },
  "tracking-patience": {
    type: "string",
    description: "How long the end of the command waits for both, in seconds, once all is printed",
    valueHint: "S",
    default: "5",
  },
  "trace-contents": {
    type: "boolean",
    description: "Also send texts of the data there: inputs, outputs, messages, feedback",
    default: false,
  },
} as const;

type TrackingArguments = typeof server & {
  readonly "mlflow-experiment": typeof experimentArgument;
} & typeof others;

/** Arguments of every command that can be watched while it works. */
export const trackingArguments: TrackingArguments = {
  ...server,
  "mlflow-experiment": experimentArgument,
  ...others,
};

/** The parsed arguments. */
export type TrackingGiven = Readonly<ParsedArgs<typeof trackingArguments>>;
