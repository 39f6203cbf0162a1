import { z } from "zod";
import { exactOptional } from "../../internal/index.ts";
import { thinkingTemplates } from "../chat/thinking-template.ts";
import type { CapabilityName } from "./capability-names.ts";
import { capabilityNames } from "./capability-names.ts";

/** The result of one trial and the evidence for it. */
export interface Finding {
  /** `unknown`: the trial was inconclusive. */
  readonly state: "supported" | "unsupported" | "unknown";
  readonly evidence: string;
  /**
   * What a trial came up against that says nothing of the server: the model, behind which another
   * may do it, or the stall time-out. @default neither
   */
  readonly limit?: "model" | "time";
}

/** What one model on a server was found to do; plain JSON. */
export interface ServerExamination {
  readonly format: "espalier-server/1";
  readonly baseUrl: string;
  readonly model: string;
  readonly models: readonly string[];
  /** `null` if the server does not report it. */
  readonly version: string | null;
  /** Tokens of prompt and reply together; `null` if the server does not report it. */
  readonly maxModelLength: number | null;
  /** Largest `top_logprobs` that was answered in full; 0 if none was. */
  readonly maxTopLogprobs: number;
  /** Which sampling keys requests should carry. */
  readonly dialect: "vllm" | "openai";
  /** The template that turns thinking on or off; `null` if nothing changed the model's thinking. */
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
  limit: exactOptional(z.enum(["model", "time"])),
});
const count = z.int().nonnegative();
const templateNames = Object.keys(thinkingTemplates) as (keyof typeof thinkingTemplates)[];

/** A stored examination; one that lacks a current trial is invalid. */
export const examinationSchema: z.ZodType<ServerExamination> = z.object({
  format: z.literal("espalier-server/1"),
  baseUrl: z.string(),
  model: z.string(),
  models: z.array(z.string()),
  version: z.string().nullable(),
  maxModelLength: z.number().nullable(),
  maxTopLogprobs: count,
  dialect: z.enum(["vllm", "openai"]),
  thinkingTemplate: z.enum(templateNames).nullable(),
  capabilities: z.record(z.enum(capabilityNames), finding),
  spent: z.object({ calls: count, promptTokens: count, completionTokens: count }),
  examinedAt: z.string(),
});
