/** How many of a developer's requests would have been withdrawn at its peers' rate: a cohort that collapses is no developer in distress. Pure. */
import { type DistressTables, distressTables } from "./tables.ts";

/** A developer's requests with one operator that entered its queue in one year, beside those of all others. */
export interface Cohort {
	/** Its own: active, operating or withdrawn. */
	requests: number;
	/** Those of others in the cohort, and with the operator in all years. */
	peers: number;
	peersWithdrawn: number;
	operatorPeers: number;
	operatorPeersWithdrawn: number;
}

/**
 * Small cohorts are shrunk towards their operator's rate, and an operator with few requests of others towards the prior. Null of no
 * request.
 */
export function expectedWithdrawals(
	cohorts: readonly Cohort[],
	tables: DistressTables = distressTables,
): number | null {
	const requests = cohorts.reduce((sum, cohort) => sum + cohort.requests, 0);
	if (requests === 0) return null;
	const expected = cohorts.reduce((sum, cohort) => sum + cohort.requests * rateOf(cohort, tables), 0);
	return Math.round(expected * 10_000) / 10_000;
}

function rateOf({ peers, peersWithdrawn, operatorPeers, operatorPeersWithdrawn }: Cohort, tables: DistressTables) {
	const { weight } = tables.cohorts;
	const { prior } = tables.shares.high_withdrawal_rate;
	const operators = (operatorPeersWithdrawn + weight * prior) / (operatorPeers + weight);
	return (peersWithdrawn + weight * operators) / (peers + weight);
}
