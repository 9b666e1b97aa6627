/** Rates developers anew from the copies, and publishes the ratings that differ from what was last published. */
import { isDeepStrictEqual } from "node:util";
import { developerRated } from "#libs/contract/events/scoring.ts";
import type { DeveloperTier } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { publishAll } from "#libs/postgres/outbox.ts";
import type { Logger } from "#libs/service/logger.ts";
import { needsCapital, taxCreditActivity } from "../domain/developers/capital.ts";
import { coverageOf } from "../domain/developers/counts.ts";
import { expectedWithdrawals, isBankruptcyConfirmed, rateDistress } from "../domain/developers/distress.ts";
import { recordOf } from "../domain/score/inputs.ts";
import { enqueueProjects } from "../tables/recompute-queue.ts";
import { keepRatings } from "../tables/scores.ts";
import { type Counted, countDevelopers, type RatedCounts } from "./count-developers.ts";

/** Rates these developers as of the day of `now`. Their open requests are marked where their score follows from it. */
export async function rateDevelopers(
	tx: Transaction,
	ids: readonly number[],
	now: Date,
	log: Pick<Logger, "error">,
): Promise<boolean> {
	if (ids.length === 0) return false;
	const today = now.toISOString().slice(0, 10);
	const counted = await countDevelopers(tx, ids, today);
	const rated = counted.flatMap((developer) => {
		try {
			return [{ ...developer, ...ratingOf(developer) }];
		} catch (err) {
			log.error({ err, developer: developer.developer_id }, "a developer could not be rated");
			return [];
		}
	});
	const changed = rated.filter(
		({ before, counts, payload }) =>
			before === null || !isDeepStrictEqual(before.payload, payload) || !isDeepStrictEqual(before.counts, counts),
	);
	if (changed.length === 0) return false;
	const written = await write(tx, changed, now);
	await tell(tx, changed, written, now);
	await keepRatings(tx, changed, now);
	const decisive = changed.filter(({ before, counts, distress }) => decidesScores(before, counts, distress.level));
	const projects = await tx<{ project_id: string }[]>`
		select project_id from projects where developer_id = any(${decisive.map((row) => row.developer_id)}::integer[]) and open`;
	await enqueueProjects(
		tx,
		projects.map((row) => row.project_id),
	);
	return true;
}

/** What is stored of a developer, and published (`payload`). */
export function ratingOf({
	tier,
	counts: counted,
	cohorts,
	bankruptcyHeadlines,
	bankruptcyFilings,
	seekingHeadlines,
}: Counted) {
	const counts: RatedCounts = {
		...counted,
		expectedWithdrawn: expectedWithdrawals(cohorts),
		bankruptcy: isBankruptcyConfirmed([
			...bankruptcyHeadlines.map((headline) => ({ kind: "headline" as const, ...headline })),
			...Array.from({ length: bankruptcyFilings }, () => ({ kind: "filing" as const, domain: null, confidence: 1 })),
		]),
		seeking: seekingHeadlines,
	};
	const distress = rateDistress(counts);
	const capital = needsCapital(tier as DeveloperTier, counts, distress.level);
	const coverage = coverageOf(counts);
	const payload = {
		needs_capital: capital.needed,
		needs_capital_reasons: capital.reasons,
		tax_credit_activity: taxCreditActivity(counts.creditValue, counts.creditProjects),
		capital_raised: coverage.form_d.looked_at ? counts.capitalRaised : null,
		distress_level: distress.level,
		distress_score: distress.score,
	};
	return { counts, coverage, distress, payload };
}

type Rated = Counted & ReturnType<typeof ratingOf>;

/** What the scores of its requests look at: its distress, and how the requests that it finished compare with what is usual. */
const decidesScores = (before: Counted["before"], counts: RatedCounts, level: string): boolean =>
	before === null || before.payload.distress_level !== level || recordOf(before.counts) !== recordOf(counts);

/** Answers the version of each. */
async function write(tx: Transaction, rated: readonly Rated[], now: Date): Promise<Map<number, number>> {
	const rows = rated.map(({ developer_id, counts, coverage, distress, payload }) => ({
		developer_id,
		counts,
		coverage,
		distress_components: distress.components,
		...payload,
		payload,
	}));
	const written = await tx<{ developer_id: number; version: number }[]>`
		insert into developer_ratings as t (developer_id, counts, coverage, distress_level, distress_score, distress_components,
			needs_capital, needs_capital_reasons, tax_credit_activity, payload, version)
		select e.*, ${now.getTime()} from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as e (developer_id integer, counts jsonb, coverage jsonb,
			distress_level text, distress_score integer, distress_components jsonb, needs_capital boolean,
			needs_capital_reasons text[], tax_credit_activity text, payload jsonb)
		order by developer_id
		on conflict (developer_id) do update set (counts, coverage, distress_level, distress_score, distress_components,
				needs_capital, needs_capital_reasons, tax_credit_activity, version, payload)
			= (excluded.counts, excluded.coverage, excluded.distress_level, excluded.distress_score, excluded.distress_components,
				excluded.needs_capital, excluded.needs_capital_reasons, excluded.tax_credit_activity,
				greatest(t.version + 1, excluded.version), excluded.payload)
		returning developer_id, version`;
	return new Map(written.map((row) => [row.developer_id, row.version]));
}

function tell(tx: Transaction, rated: readonly Rated[], versions: Map<number, number>, now: Date): Promise<void> {
	const payloads = rated
		.filter(({ before, payload }) => before === null || !isDeepStrictEqual(before.payload, payload))
		.map(({ developer_id, canonical_name, payload }) => {
			const version = versions.get(developer_id) ?? now.getTime();
			const id = `${developerRated.name}:${developer_id}:${version}`;
			return {
				id,
				occurred_at: now.toISOString(),
				version,
				developer_id,
				developer_canonical: canonical_name,
				...payload,
			};
		});
	return publishAll(tx, developerRated, payloads);
}
