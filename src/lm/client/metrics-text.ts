/**
 * The counters to look for, by the end of their names: their prefixes have changed over versions.
 */
const wanted = [
  "prefix_cache_queries",
  "prefix_cache_hits",
  "prompt_tokens",
  "generation_tokens",
  "num_requests_running",
  "num_requests_waiting",
  "cache_usage_perc",
] as const;

export type CounterName = (typeof wanted)[number];

/** Sums by counter over all labels of Prometheus text; missing counters are left out. */
export function countersIn(text: string): ReadonlyMap<CounterName, number> {
  const sums = new Map<CounterName, number>();
  for (const line of text.split("\n")) {
    const [, name = "", value = ""] = /^(vllm:\w+)(?:\{.*\})?\s+(\S+)/.exec(line) ?? [];
    const plain = name.replace(/_total$/, "");
    const found = wanted.find((ending) => plain.endsWith(ending) && isWhole(plain, ending));
    const number = Number(value);
    if (found === undefined || value === "" || !Number.isFinite(number)) continue;
    sums.set(found, (sums.get(found) ?? 0) + number);
  }
  return sums;
}

/**
 * `request_prompt_tokens` is a histogram, not a counter; `external_...` belongs to another cache.
 */
function isWhole(name: string, ending: CounterName): boolean {
  const before = name.slice("vllm:".length, name.length - ending.length);
  return before === "" || before === "gpu_" || before === "kv_" || before === "gpu_kv_";
}
