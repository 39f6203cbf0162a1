import type { TrainedModel } from "./model-folders.ts";

/** The key of the server that asks for one. */
export const apiKey = "key-of-the-tests";

export interface ServerKind {
  /** Folder made by `make_models.py`. */
  readonly folder: string;
  /** The name that requests give. */
  readonly model: string;
  /** Served under its own name instead, where its weights can be had. */
  readonly trained?: TrainedModel;
  readonly apiKey?: string;
  /** Options of `vllm serve`, separated by spaces. */
  readonly args: string;
}

const guidance = JSON.stringify({ backend: "guidance", disable_any_whitespace: true });
/** A context for 10,000 new tokens, thinking, a key: as the guide recommends for the systems. */
const recommended =
  `--max-model-len 16384 --reasoning-parser qwen3 --api-key ${apiKey} ` +
  `--enable-prompt-tokens-details --structured-outputs-config ${guidance}`;

/** As agents need it: the tool calls of a model are read out of its text. */
const toolCalls = "--enable-auto-tool-choice --tool-call-parser hermes";

/** The servers of these tests: each is started when a test first asks for it. */
export const serverKinds = {
  /** As somebody starts vLLM who knows no options: backend `auto`, no reasoning parser. */
  chat: { folder: "qwen3", model: "tiny-qwen3", args: "--max-model-len 8192" },
  /** As suits a thinking model, with a LoRA adapter beside it, and a key. */
  guidance: {
    folder: "qwen3",
    model: "tiny-qwen3",
    apiKey,
    args: `${recommended} --enable-lora --max-lora-rank 8 --lora-modules tiny-lora=lora`,
  },
  /** Two requests at a time: the others wait in its queue. */
  narrow: {
    folder: "qwen3",
    model: "tiny-qwen3",
    args: "--max-model-len 8192 --max-num-seqs 2",
  },
  /**
   * For whole systems, whose replies may have 10,000 tokens: none runs on. Nor is a prompt computed
   * in parts, since the CPU build dies of that where a request has a seed and a temperature.
   */
  systems: {
    folder: "qwen3",
    model: "tiny-qwen3",
    apiKey,
    args: `${recommended} --logits-processors endings:Endings --max-num-batched-tokens 131072 ${toolCalls}`,
  },
  /** Another architecture, tokenizer and template; no thinking. */
  smollm2: {
    folder: "llama",
    model: "tiny-llama",
    trained: "smollm2-135m",
    args: "--max-model-len 4096",
  },
  /** For agents, yes and no, and reasoning. */
  qwenCoder: {
    folder: "qwen3",
    model: "tiny-qwen3",
    trained: "qwen-coder-0.5b",
    args: `--max-model-len 8192 ${toolCalls}`,
  },
  minilm: {
    folder: "embedder",
    model: "tiny-embedder",
    trained: "minilm-l6",
    args: "--runner pooling",
  },
  /** For whole systems, which embed passages by the hundred. */
  embedder: { folder: "embedder", model: "tiny-embedder", args: "--runner pooling" },
  reranker: { folder: "reranker", model: "tiny-reranker", args: "--runner pooling" },
} satisfies Record<string, ServerKind>;

export type ServerName = keyof typeof serverKinds;

/** What a client needs to know about a started server. */
export interface VllmAddress {
  /** With `/v1`. */
  readonly baseUrl: string;
  /** Without it, for `/metrics` and other routes beside the API. */
  readonly root: string;
  readonly model: string;
  /** Whether it serves trained weights: what it says has a meaning. */
  readonly isTrained: boolean;
  readonly apiKey?: string;
}
