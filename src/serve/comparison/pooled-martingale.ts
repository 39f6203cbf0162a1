import type { TestMartingale } from "../../statistics/index.ts";
import { testMartingale } from "../../statistics/index.ts";

/** The bets on the contributions of several API keys, taken together. */
export interface PooledMartingale {
  /** The combined wealth, which decides. */
  readonly amount: number;
  /** @param excess in [-1 - tolerance, 1] */
  add(apiKey: string, excess: number): void;
}

/**
 * Each API key has its own account, and the wealth is the product of the accounts: each observation
 * moves one of them, so that the product is a supermartingale wherever the accounts are.
 *
 * A tenth of an account is never staked. An account therefore never falls below a tenth of its
 * initial value, and a key that loses all its bets on purpose costs the others a factor of ten at
 * most.
 *
 * @param isBounded whether no single key may decide: the amount is then the minimum, over all
 *   accounts, of the wealth without that account. Whichever key is an attacker's, the product of
 *   the others' accounts is at least the amount, and it reaches `1 / alpha` by chance with a
 *   probability of at most `alpha`, whatever the attacker knows and however often it asks
 */
export function pooledMartingale({
  tolerance,
  isBounded,
}: {
  readonly tolerance: number;
  readonly isBounded: boolean;
}): PooledMartingale {
  const accounts = new Map<string, Account>();
  const totals = new Float64Array(opened(tolerance).logs);
  let known: number | null = null;
  const amountNow = (): number => {
    if (!isBounded || accounts.size === 0) return meanWithout(totals, nothing);
    let least = Infinity;
    for (const { logs } of accounts.values()) least = Math.min(least, meanWithout(totals, logs));
    return least;
  };
  return {
    get amount() {
      known ??= amountNow();
      return known;
    },
    add: (apiKey, excess) => {
      const account = accounts.get(apiKey) ?? opened(tolerance);
      accounts.set(apiKey, account);
      const { bets, logs } = account;
      bets.add(excess);
      for (let bet = 0; bet < logs.length; bet += 1) {
        const log = logOf(bets.stakes[bet] ?? 0);
        totals[bet] = (totals[bet] ?? 0) + log - (logs[bet] ?? 0);
        logs[bet] = log;
      }
      known = null;
    },
  };
}

interface Account {
  readonly bets: TestMartingale;
  /** Logarithm of the account's value under each bet. */
  readonly logs: Float64Array;
}

function opened(tolerance: number): Account {
  // The least factor is .1: one bad value never wipes out a stake for good.
  const bets = testMartingale(shares.map((share) => share / (1 + tolerance)));
  return { bets, logs: Float64Array.from(bets.stakes, logOf) };
}

function logOf(stake: number): number {
  return Math.log(unstaked + (1 - unstaked) * stake);
}

function meanWithout(totals: Float64Array, logs: Float64Array): number {
  let sum = 0;
  for (let bet = 0; bet < totals.length; bet += 1) {
    sum += Math.exp((totals[bet] ?? 0) - (logs[bet] ?? 0));
  }
  return Math.min(sum / totals.length, Number.MAX_VALUE);
}

const nothing = new Float64Array(0);
const unstaked = 0.1;

/** Fractions of the largest bet that survives the worst value; each is half of the one before. */
const shares: readonly number[] = [0.9, 0.45, 0.225, 0.1125, 0.05625, 0.028125];
