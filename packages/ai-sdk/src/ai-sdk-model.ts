/**
 * What is used of the AI SDK's interface of language models, in its versions 2, 3 and 4. Types of
 * our own, so that none of its packages is needed.
 */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<AiSdkResult>;
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream }>;
}

/** What one call passes on. */
export interface AiSdkCall {
  readonly prompt: readonly AiSdkMessage[];
  readonly temperature: number;
  readonly topP: number;
  readonly topK?: number;
  readonly presencePenalty: number;
  readonly frequencyPenalty: number;
  readonly maxOutputTokens: number;
  readonly stopSequences?: readonly string[];
  readonly seed: number;
  readonly tools?: readonly {
    readonly type: "function";
    readonly name: string;
    readonly description: string;
    readonly inputSchema: object;
  }[];
  readonly toolChoice?: { readonly type: "auto" | "required" | "none" };
  readonly responseFormat?: {
    readonly type: "json";
    readonly name: string;
    readonly schema: object;
  };
  /** Version 4 only. */
  readonly reasoning?: "none" | "medium";
  readonly abortSignal?: AbortSignal;
  readonly providerOptions?: Readonly<Record<string, object>>;
}

export type AiSdkMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: readonly (AiSdkText | AiSdkFile)[] }
  | { readonly role: "assistant"; readonly content: readonly (AiSdkText | AiSdkToolCall)[] }
  | { readonly role: "tool"; readonly content: readonly AiSdkToolResult[] };

export interface AiSdkText {
  readonly type: "text";
  readonly text: string;
}

/** A call of a tool, in a prompt. */
export interface AiSdkToolCall {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  /** Parsed. */
  readonly input: unknown;
}

export interface AiSdkToolResult {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: { readonly type: "text"; readonly value: string };
}

/** A picture or a document. */
export interface AiSdkFile {
  readonly type: "file";
  /** `image/*` where only the provider will see which. */
  readonly mediaType: string;
  readonly filename?: string;
  /** Base64 or an address: bare in versions 2 and 3, named in version 4. */
  readonly data:
    | string
    | URL
    | { readonly type: "data"; readonly data: string }
    | { readonly type: "url"; readonly url: URL };
}

export interface AiSdkResult {
  readonly content: readonly { readonly type: string }[];
  /** A word in version 2. */
  readonly finishReason: string | { readonly unified: string };
  readonly usage?: AiSdkUsage | undefined;
  readonly response?: { readonly modelId?: string | undefined } | undefined;
  readonly warnings?: readonly object[];
}

/** Numbers in version 2, and groups of them since. */
export interface AiSdkUsage {
  readonly inputTokens?:
    | number
    | undefined
    | { readonly total?: number | undefined; readonly cacheRead?: number | undefined };
  readonly outputTokens?:
    | number
    | undefined
    | { readonly total?: number | undefined; readonly reasoning?: number | undefined };
  /** Version 2. */
  readonly cachedInputTokens?: number | undefined;
  /** Version 2. */
  readonly reasoningTokens?: number | undefined;
  /** Since version 3: what the provider said itself. */
  readonly raw?: unknown;
}
