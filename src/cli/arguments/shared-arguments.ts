import type { ParsedArgs } from "citty";
import type { RedisAddress } from "../packages/workers-package.ts";

/** Options that cap what a run spends. Each replaces the study's cap of the same kind. */
export const budgetArguments = {
  budget: {
    type: "string",
    description:
      "Maximum metric calls (scored program runs): a number, or small, medium or large for 5, 15 or 40 times the size of val; defaults to the study's cap",
    valueHint: "N",
  },
  "max-reflections": {
    type: "string",
    description:
      "Maximum texts requested from the reflection LM; defaults to a quarter of --budget",
    valueHint: "N",
  },
  "max-lm-calls": {
    type: "string",
    description: "Maximum LM calls across all roles",
    valueHint: "N",
  },
  "max-tool-calls": {
    type: "string",
    description: "Maximum calls to agents' tools",
    valueHint: "N",
  },
  "max-tokens": {
    type: "string",
    description: "Maximum prompt and completion tokens in total",
    valueHint: "N",
  },
  "max-usd": {
    type: "string",
    description: "Maximum cost in US dollars; requires --prices",
    valueHint: "USD",
  },
  "max-minutes": { type: "string", description: "Maximum wall time in minutes", valueHint: "N" },
  prices: {
    type: "string",
    description:
      'JSON file: { "student": { "promptUsdPerMillion": 1, "completionUsdPerMillion": 4 }, "reflection": { ... } }',
    valueHint: "FILE",
  },
} as const;

/** Whether agents may call tools with side effects. */
export const worldArguments = {
  "allow-side-effects": {
    type: "boolean",
    description:
      "Let agents call tools with side effects; otherwise, mocks of these tools answer, and tools without a mock are refused",
    default: false,
  },
} as const;

/** For commands whose examples workers can run. */
export const redisArguments = {
  redis: {
    type: "string",
    description:
      "URL of the Redis or Valkey server from which workers take examples: redis://HOST:PORT, or rediss:// over TLS. The password can be set in ESPALIER_REDIS_PASSWORD instead",
    valueHint: "URL",
  },
} as const;

/** For commands that work there alone. */
export const requiredRedis = { ...redisArguments.redis, required: true } as const;

export function redisAddress(url: string): RedisAddress {
  return { url, password: process.env["ESPALIER_REDIS_PASSWORD"] || undefined };
}

/** The name of an experiment, for every command that speaks to MLflow. */
export const experimentArgument = {
  type: "string",
  description: "Name of the MLflow experiment; created if it does not exist",
  valueHint: "NAME",
  default: "espalier",
} as const;

/** Arguments of every command that can be watched while it works. */
export const trackingArguments = {
  mlflow: {
    type: "string",
    description:
      "MLflow server that shows progress live, without delaying the run; `espalier mlflow` sends what it missed",
    valueHint: "URL",
  },
  "mlflow-experiment": experimentArgument,
  otlp: {
    type: "string",
    description: "Endpoint for traces, as OTLP over HTTP; defaults to OTEL_EXPORTER_OTLP_ENDPOINT",
    valueHint: "URL",
  },
  "tracking-patience": {
    type: "string",
    description: "Seconds to wait for MLflow and OTLP after everything is printed",
    valueHint: "S",
    default: "5",
  },
  "trace-contents": {
    type: "boolean",
    description: "Also send text from the data: inputs, outputs, messages, feedback",
    default: false,
  },
} as const;

/** The parsed arguments. */
export type TrackingGiven = Readonly<ParsedArgs<typeof trackingArguments>>;
