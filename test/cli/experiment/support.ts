import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What the tests read of a table. */
export interface Table {
  readonly rows: readonly {
    readonly name: string;
    readonly notRun?: string;
    readonly examples: number;
    readonly figures: readonly {
      readonly metric: string;
      readonly value: number;
      readonly interval: Bounds;
      readonly difference?: {
        readonly difference: number;
        readonly interval: Bounds;
        readonly examples: number;
      };
      readonly published?: { readonly value: number };
    }[];
    readonly mocks: readonly { readonly part: string }[];
    readonly costs: Costs;
  }[];
  readonly breakdowns: readonly {
    readonly name: string;
    readonly groups: readonly {
      readonly group: string;
      readonly row: string;
      readonly examples: number;
      readonly figures: readonly { readonly value: number }[];
    }[];
  }[];
  readonly costs: Costs;
}

interface Bounds {
  readonly low: number;
  readonly high: number;
}

export interface Costs {
  readonly metricCalls: number;
  readonly lmCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly billedCalls: number;
  readonly usd: number | null;
  readonly seconds: number;
}

interface Result {
  readonly evaluation: {
    readonly rows: readonly {
      readonly exampleId: string;
      readonly cluster: string;
      readonly output?: { readonly answer?: string };
      readonly score: { readonly value: number; readonly objectives?: Record<string, number> };
    }[];
  };
}

export async function tableIn(run: string): Promise<Table> {
  return JSON.parse(await readFile(join(run, "table.json"), "utf8")) as Table;
}

export async function resultOf(run: string, row: string): Promise<Result["evaluation"]["rows"]> {
  const path = join(run, "rows", row, "result.json");
  return (JSON.parse(await readFile(path, "utf8")) as Result).evaluation.rows;
}

/** The table without what a clock or a kill decides. */
export function timeless(table: Table): unknown {
  const costs = ({ seconds: _seconds, billedCalls: _billed, usd: _usd, ...others }: Costs) =>
    others;
  return {
    ...table,
    costs: costs(table.costs),
    rows: table.rows.map((row) => ({ ...row, costs: costs(row.costs) })),
  };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
