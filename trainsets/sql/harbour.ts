import { DatabaseSync } from "node:sqlite";
import type { Example, SplitName, Trainset } from "espalier";
import { trainset } from "espalier/trainset";

interface Rows {
  readonly columns: readonly (readonly [name: string, type: "TEXT" | "INTEGER"])[];
  readonly rows: readonly (readonly (string | number)[])[];
}

const towns = ["Cormeil", "Torvale", "Maldeck", "Anstruth", "Brehm"] as const;
const owners = ["Elisa Corvane", "Anton Rees", "Duke Lothar", "Mira Holt"] as const;

const tables: Readonly<Record<string, Rows>> = {
  ships: {
    columns: [
      ["name", "TEXT"],
      ["town", "TEXT"],
      ["owner", "TEXT"],
      ["length", "INTEGER"],
    ],
    rows: [
      "Gull",
      "Heron",
      "Osprey",
      "Petrel",
      "Tern",
      "Plover",
      "Curlew",
      "Fulmar",
      "Gannet",
      "Skua",
      "Avocet",
      "Dunlin",
      "Godwit",
      "Knot",
      "Ruff",
      "Snipe",
      "Stint",
      "Whimbrel",
      "Eider",
      "Merlin",
    ].map((name, at) => [
      name,
      towns[at % towns.length] ?? "",
      owners[(at * 7) % owners.length] ?? "",
      11 + ((at * 13) % 37),
    ]),
  },
  lighthouses: {
    columns: [
      ["name", "TEXT"],
      ["town", "TEXT"],
      ["colour", "TEXT"],
      ["height", "INTEGER"],
    ],
    rows: [
      "Stane",
      "Lorn",
      "Vey",
      "Ness",
      "Holm",
      "Sker",
      "Tarn",
      "Wick",
      "Garth",
      "Ferry",
      "Cliff",
      "Mole",
    ].map((name, at) => [
      name,
      towns[(at * 3) % towns.length] ?? "",
      ["White", "Red", "Striped"][at % 3] ?? "",
      14 + ((at * 11) % 41),
    ]),
  },
  cargoes: {
    columns: [
      ["name", "TEXT"],
      ["ship", "TEXT"],
      ["kind", "TEXT"],
      ["tons", "INTEGER"],
    ],
    rows: Array.from({ length: 24 }, (_, at) => [
      `lot ${at + 1}`,
      ["Gull", "Heron", "Osprey", "Petrel", "Tern", "Plover", "Curlew", "Fulmar"][(at * 5) % 8] ??
        "",
      ["Salt", "Timber", "Wool", "Tin"][(at * 3) % 4] ?? "",
      5 + ((at * 17) % 60),
    ]),
  },
};

/** The database, in memory; the caller closes it. */
export function harbourDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    const declared = columns.map((column) => column.join(" "));
    database.exec(`CREATE TABLE ${table} (${declared.join(", ")})`);
    const marks = columns.map(() => "?").join(", ");
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${marks})`);
    for (const row of rows) insert.run(...row);
  }
  database.exec("PRAGMA query_only = ON");
  return database;
}

/** Its tables as SQL declares them, with the values of texts that few rows differ in. */
export function harbourSchema(): string {
  return Object.entries(tables)
    .map(([table, { columns, rows }]) => {
      const lines = columns.map(([name, type], at) => {
        const values = [...new Set(rows.map((row) => String(row[at])))];
        const shown = type === "TEXT" && values.length <= 8 ? ` -- ${values.join(", ")}` : "";
        return `  ${name} ${type}${shown}`;
      });
      return `CREATE TABLE ${table} (\n${lines.join("\n")}\n);`;
    })
    .join("\n");
}

export interface HarbourLabels {
  /** The query whose rows are the answer. */
  readonly sql: string;
}

/** About half of the questions write names in small letters; some count different things. */
export async function harbourQuestions(): Promise<
  Trainset<{ readonly question: string }, HarbourLabels>
> {
  const splits = { train: [], val: [], test: [] } as Record<
    SplitName,
    Example<{ readonly question: string }, HarbourLabels>[]
  >;
  for (const [at, [question, sql]] of pairs().entries()) {
    const split = at % 10 < 3 ? "train" : at % 10 < 7 ? "val" : "test";
    splits[split].push({ id: `h${at + 1}`, input: { question }, labels: { sql } });
  }
  return trainset({
    name: "harbour-sql",
    version: "1",
    licence: "Apache-2.0",
    source: "own writing",
    splits,
  });
}

function pairs(): readonly (readonly [question: string, sql: string])[] {
  const small = (text: string, at: number): string => (at % 2 === 0 ? text.toLowerCase() : text);
  const ofTowns = towns.flatMap((town, at) => {
    const said = small(town, at);
    return [
      [
        `How many ships are at home in ${said}?`,
        `SELECT COUNT(*) FROM ships WHERE town = '${town}'`,
      ],
      [
        `What is the average length of the ships in ${said}?`,
        `SELECT AVG(length) FROM ships WHERE town = '${town}'`,
      ],
      [
        `How many different owners have ships in ${said}?`,
        `SELECT COUNT(DISTINCT owner) FROM ships WHERE town = '${town}'`,
      ],
      [
        `What is the total length of the ships in ${said}?`,
        `SELECT SUM(length) FROM ships WHERE town = '${town}'`,
      ],
      [
        `How many lighthouses stand in ${said}?`,
        `SELECT COUNT(*) FROM lighthouses WHERE town = '${town}'`,
      ],
      [
        `Which lighthouse of ${said} has the largest height?`,
        `SELECT name FROM lighthouses WHERE town = '${town}' ORDER BY height DESC LIMIT 1`,
      ],
      [
        `How many ships of ${said} have a length of more than ${15 + 3 * at}?`,
        `SELECT COUNT(*) FROM ships WHERE town = '${town}' AND length > ${15 + 3 * at}`,
      ],
    ] as const;
  });
  const ofKinds = (["Salt", "Timber", "Wool", "Tin"] as const).flatMap((kind, at) => {
    const said = small(kind, at);
    return [
      [
        `How many tons of ${said} are there in total in the cargoes?`,
        `SELECT SUM(tons) FROM cargoes WHERE kind = '${kind}'`,
      ],
      [
        `What is the average of tons of the cargoes of ${said}?`,
        `SELECT AVG(tons) FROM cargoes WHERE kind = '${kind}'`,
      ],
      [
        `How many different ships carry cargoes of ${said}?`,
        `SELECT COUNT(DISTINCT ship) FROM cargoes WHERE kind = '${kind}'`,
      ],
      [
        `How many cargoes of ${said} have at least ${10 + 10 * at} tons?`,
        `SELECT COUNT(*) FROM cargoes WHERE kind = '${kind}' AND tons >= ${10 + 10 * at}`,
      ],
    ] as const;
  });
  const ofOwners = owners.flatMap((owner, at) => {
    const said = small(owner, at);
    return [
      [
        `What is the longest ship of ${said}?`,
        `SELECT name FROM ships WHERE owner = '${owner}' ORDER BY length DESC LIMIT 1`,
      ],
      [
        `How many different towns have ships of the owner ${said}?`,
        `SELECT COUNT(DISTINCT town) FROM ships WHERE owner = '${owner}'`,
      ],
      [`How many ships does ${said} own?`, `SELECT COUNT(*) FROM ships WHERE owner = '${owner}'`],
    ] as const;
  });
  const ofColours = (["White", "Red", "Striped"] as const).flatMap((colour, at) => {
    const said = small(colour, at);
    return [
      [
        `How many ${said} lighthouses are there?`,
        `SELECT COUNT(*) FROM lighthouses WHERE colour = '${colour}'`,
      ],
      [
        `What is the average height of ${said} lighthouses?`,
        `SELECT AVG(height) FROM lighthouses WHERE colour = '${colour}'`,
      ],
      [
        `How many different towns have ${said} lighthouses?`,
        `SELECT COUNT(DISTINCT town) FROM lighthouses WHERE colour = '${colour}'`,
      ],
    ] as const;
  });
  // Dealt out, so that each split has every kind of question.
  const all = [...ofTowns, ...ofKinds, ...ofOwners, ...ofColours];
  return all.map((_, at) => all[(at * 31) % all.length] ?? ["", ""]);
}
