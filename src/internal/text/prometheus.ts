/** Counts per label set, for one family of Prometheus metrics. */
export interface Counter {
  add(labels: Labels, by?: number): void;
  lines(): readonly string[];
}

export interface Histogram {
  observe(labels: Labels, value: number): void;
  lines(): readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly name: string;
  readonly help: string;
}

export function counter({ name, help }: Family): Counter {
  const counts = new Map<string, number>();
  return {
    add: (labels, by = 1) => {
      const key = labelText(labels);
      counts.set(key, (counts.get(key) ?? 0) + by);
    },
    lines: () => [
      ...head(name, help, "counter"),
      ...[...counts].map(([labels, count]) => `${name}${labels} ${count}`),
    ],
  };
}

/** @param buckets upper ends, rising; `+Inf` is added */
export function histogram({
  name,
  help,
  buckets,
}: Family & { readonly buckets: readonly number[] }): Histogram {
  const series = new Map<string, { readonly labels: Labels; counts: number[]; sum: number }>();
  return {
    observe: (labels, value) => {
      const key = labelText(labels);
      const one = series.get(key) ?? { labels, counts: buckets.map(() => 0).concat(0), sum: 0 };
      const position = buckets.findIndex((end) => value <= end);
      const at = position === -1 ? buckets.length : position;
      series.set(key, {
        labels,
        counts: one.counts.map((count, index) => (index === at ? count + 1 : count)),
        sum: one.sum + value,
      });
    },
    lines: () => [
      ...head(name, help, "histogram"),
      ...[...series.values()].flatMap(({ labels, counts, sum }) => {
        let total = 0;
        const ends = [...buckets.map(String), "+Inf"];
        return [
          ...counts.map((count, index) => {
            total += count;
            return `${name}_bucket${labelText({ ...labels, le: ends[index] ?? "+Inf" })} ${total}`;
          }),
          `${name}_sum${labelText(labels)} ${sum}`,
          `${name}_count${labelText(labels)} ${total}`,
        ];
      }),
    ],
  };
}

/** A single current value. */
export function gauge({ name, help }: Family, value: number): readonly string[] {
  return [...head(name, help, "gauge"), `${name} ${value}`];
}

/** The same for several labels. */
export const gaugeBy: FamilyLines = familyOf("gauge");

/** Counters that are kept elsewhere. */
export const counterBy: FamilyLines = familyOf("counter");

type FamilyLines = (
  family: Family,
  values: readonly { readonly labels: Labels; readonly value: number }[],
) => readonly string[];

function familyOf(type: "gauge" | "counter"): FamilyLines {
  return ({ name, help }, values) => [
    ...head(name, help, type),
    ...values.map(({ labels, value }) => `${name}${labelText(labels)} ${value}`),
  ];
}

function head(name: string, help: string, type: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function labelText(labels: Labels): string {
  const entries = Object.entries(labels);
  if (entries.length === 0) return "";
  const escaped = (value: string): string =>
    value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `{${entries.map(([label, value]) => `${label}="${escaped(value)}"`).join(",")}}`;
}
