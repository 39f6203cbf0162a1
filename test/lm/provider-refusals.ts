/** How providers refuse, as documented or in public reports: who, status, body, code. */
export const refusals: readonly (readonly [string, number, unknown, string])[] = [
  [
    "OpenAI",
    400,
    {
      error: {
        message:
          "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens. Please reduce the length of the messages.",
        code: "context_length_exceeded",
      },
    },
    "lm-context-overflow",
  ],
  [
    "Gemini",
    400,
    [
      {
        error: {
          code: 400,
          message:
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
    "lm-context-overflow",
  ],
  ["Bedrock", 400, { message: "Input is too long for requested model." }, "lm-context-overflow"],
  [
    "Anthropic",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "prompt is too long: 210000 tokens > 200000 maximum",
      },
    },
    "lm-context-overflow",
  ],
  [
    "TGI",
    422,
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9000 `inputs` tokens",
      error_type: "validation",
    },
    "lm-context-overflow",
  ],
  [
    "Groq",
    413,
    { error: { message: "Request too large for model `x`", code: "request_too_large" } },
    "lm-context-overflow",
  ],
  [
    "Cohere",
    400,
    { message: "too many tokens: total number of tokens in the prompt exceeds the limit" },
    "lm-context-overflow",
  ],
  [
    "SGLang",
    400,
    { message: "The input (9000 tokens) is longer than the model's context length (4096 tokens)." },
    "lm-context-overflow",
  ],
  [
    "llama.cpp of 2025",
    500,
    {
      error: {
        code: 500,
        message: "the request exceeds the available context size. try increasing the context size",
        type: "server_error",
      },
    },
    "lm-context-overflow",
  ],
  [
    "llama.cpp",
    400,
    {
      error: {
        code: 400,
        message: "request (9000 tokens) is too much",
        type: "exceed_context_size_error",
      },
    },
    "lm-context-overflow",
  ],
  [
    "Azure's filter",
    400,
    {
      error: {
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        code: "content_filter",
      },
    },
    "lm-prompt-refused",
  ],
  [
    "DashScope's filter",
    400,
    {
      error: {
        code: "data_inspection_failed",
        message: "Input data may contain inappropriate content.",
      },
    },
    "lm-prompt-refused",
  ],
  [
    "DeepSeek's filter",
    400,
    { error: { message: "Content Exists Risk", type: "invalid_request_error" } },
    "lm-prompt-refused",
  ],
  [
    "OpenRouter's moderation",
    403,
    {
      error: {
        code: 403,
        message: 'openai/x requires moderation. Your input was flagged for "violence"',
      },
    },
    "lm-prompt-refused",
  ],
  [
    "OpenAI's quota",
    429,
    {
      error: {
        message: "You exceeded your current quota, please check your plan and billing details.",
        type: "insufficient_quota",
        code: "insufficient_quota",
      },
    },
    "lm-quota-exhausted",
  ],
  [
    "Anthropic's credit",
    400,
    {
      error: {
        type: "invalid_request_error",
        message: "Your credit balance is too low to access the Anthropic API.",
      },
    },
    "lm-quota-exhausted",
  ],
  ["DeepSeek's balance", 402, { error: { message: "Insufficient Balance" } }, "lm-quota-exhausted"],
  // Gemini says so of a minute's requests.
  [
    "Gemini's rate",
    429,
    [
      {
        error: {
          code: 429,
          message:
            "You exceeded your current quota, please check your plan and billing details. Please retry in 36.5s.",
        },
      },
    ],
    "lm-rate-limited",
  ],
  [
    "a parameter",
    400,
    { error: { message: "top_k must be -1", type: "BadRequestError" } },
    "lm-request-refused",
  ],
  [
    "an unknown parameter (Mistral)",
    422,
    {
      detail: [
        { type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" },
      ],
    },
    "lm-request-refused",
  ],
  [
    "a failure",
    500,
    { error: { message: "CUDA out of memory while growing the context", type: "server_error" } },
    "lm-server-error",
  ],
  ["a key", 403, { error: { message: "Your key has no access to this model" } }, "lm-unauthorized"],
  [
    "Mistral",
    400,
    {
      object: "error",
      message:
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      type: "invalid_request_prompt",
    },
    "lm-context-overflow",
  ],
  [
    "Together",
    422,
    {
      error: {
        message:
          "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 100 `max_new_tokens`",
        type: "invalid_request_error",
      },
    },
    "lm-context-overflow",
  ],
  [
    "LiteLLM",
    400,
    {
      error: {
        message: "litellm.ContextWindowExceededError: This model's maximum context length is 8192",
        type: null,
        code: "400",
      },
    },
    "lm-context-overflow",
  ],
  [
    "vLLM",
    400,
    {
      error: {
        message:
          "You passed 9001 input tokens and requested 100 output tokens. However, the model's context length is only 8192 tokens.",
        type: "BadRequestError",
        code: 400,
      },
    },
    "lm-context-overflow",
  ],
  [
    "DeepSeek's length",
    400,
    {
      error: {
        message:
          "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens",
        type: "invalid_request_error",
      },
    },
    "lm-context-overflow",
  ],
  [
    "Ollama",
    400,
    { error: { message: "prompt too long; exceeded max context length by 12 tokens" } },
    "lm-context-overflow",
  ],
  [
    "Gemini's filter",
    400,
    [{ error: { code: 400, message: "The prompt was blocked due to PROHIBITED_CONTENT" } }],
    "lm-prompt-refused",
  ],
  [
    "OpenAI's policy",
    400,
    {
      error: {
        message: "Your request was rejected as a result of our safety system.",
        code: "content_policy_violation",
      },
    },
    "lm-prompt-refused",
  ],
  [
    "OpenRouter's credit",
    402,
    { error: { code: 402, message: "This request requires more credits, or fewer max_tokens." } },
    "lm-quota-exhausted",
  ],
  [
    "Groq's rate",
    429,
    {
      error: {
        message: "Rate limit reached for model `llama` on requests per minute (RPM)",
        code: "rate_limit_exceeded",
      },
    },
    "lm-rate-limited",
  ],
  [
    "Anthropic's load",
    529,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    "lm-server-error",
  ],
  [
    "Bedrock's throttle",
    429,
    { message: "Too many tokens, please wait before trying again." },
    "lm-rate-limited",
  ],
];
