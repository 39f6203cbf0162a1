import { z } from "zod";
import { thinkingTemplates } from "../chat/thinking-template.ts";
import type { CapabilityName } from "./capability-names.ts";
import { capabilityNames } from "./capability-names.ts";

/** What came of one trial, and by what it was seen. */
export interface Finding {
  /** `unknown`: the trial could not tell. */
  readonly state: "supported" | "unsupported" | "unknown";
  readonly evidence: string;
}

/** What a server was found to do with one model; plain JSON. */
export interface ServerExamination {
  readonly format: "espalier-server/1";
  readonly baseUrl: string;
  readonly model: string;
  readonly models: readonly string[];
  /** `null` when the server does not say. */
  readonly version: string | null;
  /** Tokens of prompt and reply together; `null` when the server does not say. */
  readonly maxModelLength: number | null;
  /** Largest `top_logprobs` that was answered in full; 0 for none. */
  readonly mostTopLogprobs: number;
  /** Which sampling keys requests are to carry. */
  readonly dialect: "vllm" | "openai";
  /** How the model is told to think, or not to; `null` where nothing changed its thinking. */
  readonly thinkingTemplate: keyof typeof thinkingTemplates | null;
  readonly capabilities: Readonly<Record<CapabilityName, Finding>>;
  readonly spent: {
    readonly calls: number;
    readonly promptTokens: number;
    readonly completionTokens: number;
  };
  /** ISO 8601. */
  readonly examinedAt: string;
}

const finding = z.object({
  state: z.enum(["supported", "unsupported", "unknown"]),
  evidence: z.string(),
});
const count = z.int().nonnegative();
const templateNames = Object.keys(thinkingTemplates) as (keyof typeof thinkingTemplates)[];

/** An examination as it is kept; one that lacks a trial of today is none. */
export const examinationSchema: z.ZodType<ServerExamination> = z.object({
  format: z.literal("espalier-server/1"),
  baseUrl: z.string(),
  model: z.string(),
  models: z.array(z.string()),
  version: z.string().nullable(),
  maxModelLength: z.number().nullable(),
  mostTopLogprobs: count,
  dialect: z.enum(["vllm", "openai"]),
  thinkingTemplate: z.enum(templateNames).nullable(),
  capabilities: z.record(z.enum(capabilityNames), finding),
  spent: z.object({ calls: count, promptTokens: count, completionTokens: count }),
  examinedAt: z.string(),
});
