import { EspalierError, messageOf } from "../../../../src/errors/index.ts";
import { faultCode, isTlsFault } from "../../../../src/internal/index.ts";

export interface FaultPlace {
  /** Host, port and database, without credentials. */
  readonly where: string;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Removes secrets from the server's messages. */
  readonly masked: (text: string) => string;
}

/**
 * Converts errors of the driver, the network and the server; returns errors of ours unchanged.
 * `search-failed` marks what may pass: a server that is down, restarts, is full or too slow.
 */
export function postgresFault(thrown: unknown, place: FaultPlace): EspalierError {
  if (EspalierError.isInstance(thrown)) return thrown;
  // SQLSTATE of the server, or Node's code of a network fault.
  const code = faultCode(thrown);
  const got = place.masked(messageOf(thrown));
  const refused = refusals[code] ?? (lacksTls(code, got) ? tlsRefusal : undefined);
  if (refused !== undefined) {
    return new EspalierError({
      code: "search-refused",
      ...refused,
      got,
      where: place.where,
      cause: thrown,
    });
  }
  const outage = outageOf(code, got, place);
  return new EspalierError({
    code: outage === undefined ? "search-refused" : "search-failed",
    problem: outage?.problem ?? "PostgreSQL rejected a statement",
    ...(outage?.fix === undefined ? {} : { fix: outage.fix }),
    got: code === "" ? got : `${got} (${code})`,
    where: place.where,
    cause: thrown,
  });
}

interface Advice {
  readonly problem: string;
  readonly fix?: string;
}

const wrongLogin: Advice = {
  problem: "PostgreSQL rejected the user or password",
  fix: "Check the user and password in `url`, and the server's pg_hba.conf.",
};
const missingPrivilege: Advice = {
  problem: "The PostgreSQL user lacks a privilege",
  fix: "Building an index needs CREATE on the database; searching needs USAGE on its schema and SELECT.",
};
const tlsRefusal: Advice = {
  problem: "No trusted TLS connection to PostgreSQL could be made",
  fix: "Name the server's certificate authority with `?sslmode=verify-full&sslrootcert=FILE` in `url`.",
};

const refusals: Readonly<Record<string, Advice>> = {
  "28P01": wrongLogin,
  "28000": wrongLogin,
  "3D000": {
    problem: "The PostgreSQL database does not exist",
    fix: "Create it with `createdb`, or correct `url`.",
  },
  "42501": missingPrivilege,
  "25006": {
    problem: "The PostgreSQL server or user is read-only",
    ...(missingPrivilege.fix && { fix: missingPrivilege.fix }),
  },
};

function lacksTls(code: string, message: string): boolean {
  return isTlsFault(code) || message.includes("does not support SSL");
}

function outageOf(
  code: string,
  message: string,
  { statementTimeoutMs, connectTimeoutMs }: FaultPlace,
): Advice | undefined {
  if (code === "57014") {
    return {
      problem: `PostgreSQL did not answer within ${statementTimeoutMs} ms`,
      fix: "Raise `statementTimeoutMs`, or give the server more memory.",
    };
  }
  if (message.includes("timeout exceeded when trying to connect")) {
    return {
      problem: `No connection to PostgreSQL was free within ${connectTimeoutMs} ms`,
      fix: "Raise `connections` or `connectTimeoutMs`, or check that the server is up.",
    };
  }
  if (code === "53100") return { problem: "The disk of the PostgreSQL server is full" };
  const isNetwork = /^(?:E[A-Z]+|08...|57P0.|53...|40...)$/.test(code);
  if (isNetwork || message.includes("Connection terminated")) {
    return {
      problem: "PostgreSQL could not be reached, or closed the connection",
      fix: "Check that the server is running at this address.",
    };
  }
  return undefined;
}
