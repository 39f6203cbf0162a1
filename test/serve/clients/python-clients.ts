/** The clients of `python_clients.py`. */
export const pythonClients: readonly string[] = [
  "`openai`, Python: chat completions",
  "`openai`, Python: responses",
  "LiteLLM: chat completions",
  "LiteLLM: responses",
];
