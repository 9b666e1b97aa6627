/** Rates developers from the copies, and publishes the ratings that have changed since they were last published. */
import { isDeepStrictEqual } from "node:util";
import { developerRated } from "#libs/contract/events/scoring.ts";
import type { DeveloperTier } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { excluded } from "#libs/postgres/events/copies.ts";
import { publishAll } from "#libs/postgres/events/outbox.ts";
import type { Logger } from "#libs/service/logger.ts";
import { rateCapitalNeed, rateTaxCreditActivity } from "../domain/developers/capital.ts";
import { describeCoverage } from "../domain/developers/counts.ts";
import { estimateWithdrawals, isBankruptcyConfirmed, rateDistress } from "../domain/developers/distress.ts";
import { recordOf } from "../domain/score/inputs.ts";
import { enqueueProjects } from "../tables/recompute-queue.ts";
import { storeRatings } from "../tables/scores.ts";
import { type CountedDeveloper, countDevelopers, type RatedCounts } from "./count-developers.ts";

/**
 * Rates these developers as of the day of `now`, and queues their open requests if a change affects scores.
 * @returns whether a rating changed
 */
export async function rateDevelopers(
	tx: Transaction,
	ids: readonly number[],
	now: Date,
	log: Pick<Logger, "error">,
): Promise<boolean> {
	if (ids.length === 0) return false;
	const counted = await countDevelopers(tx, ids, now.toISOString().slice(0, 10));
	const rated = counted.flatMap((developer) => {
		try {
			return [{ ...developer, ...computeRating(developer) }];
		} catch (err) {
			log.error({ err, developer: developer.developer_id }, "a developer could not be rated");
			return [];
		}
	});
	const changed = rated.filter(
		({ previous, counts, payload }) =>
			previous === null || !isDeepStrictEqual(previous.payload, payload) || !isDeepStrictEqual(previous.counts, counts),
	);
	if (changed.length === 0) return false;
	const versions = await writeRatings(tx, changed, now);
	await publishRatings(tx, changed, versions, now);
	await storeRatings(tx, changed, now);
	const affectingIds = changed.filter(affectsScores).map((row) => row.developer_id);
	const projects = await tx<{ project_id: string }[]>`
		select project_id from projects where developer_id = any(${affectingIds}::integer[]) and open`;
	const projectIds = projects.map((row) => row.project_id);
	await enqueueProjects(tx, projectIds);
	return true;
}

function computeRating({
	tier,
	counts: counted,
	cohorts,
	bankruptcyHeadlines,
	bankruptcyFilings,
	seekingHeadlines,
}: CountedDeveloper) {
	const counts: RatedCounts = {
		...counted,
		expectedWithdrawn: estimateWithdrawals(cohorts),
		bankruptcy: isBankruptcyConfirmed([
			...bankruptcyHeadlines.map((headline) => ({ kind: "headline" as const, ...headline })),
			...Array.from({ length: bankruptcyFilings }, () => ({ kind: "filing" as const, domain: null, confidence: 1 })),
		]),
		seeking: seekingHeadlines,
	};
	const distress = rateDistress(counts);
	const capital = rateCapitalNeed(tier as DeveloperTier, counts, distress.level);
	const coverage = describeCoverage(counts);
	const payload = {
		needs_capital: capital.needed,
		needs_capital_reasons: capital.reasons,
		tax_credit_activity: rateTaxCreditActivity(counts.creditValue, counts.creditProjects),
		capital_raised: coverage.form_d.looked_at ? counts.capitalRaised : null,
		distress_level: distress.level,
		distress_score: distress.score,
	};
	return { counts, coverage, distress, payload };
}

type RatedDeveloper = CountedDeveloper & ReturnType<typeof computeRating>;

/** The scores of a developer's requests depend on its distress level and its record of finished requests. */
const affectsScores = ({ previous, counts, distress }: RatedDeveloper): boolean =>
	previous === null ||
	previous.payload.distress_level !== distress.level ||
	recordOf(previous.counts) !== recordOf(counts);

const ratingColumns =
	"developer_id, counts, coverage, distress_level, distress_score, distress_components, needs_capital, needs_capital_reasons, tax_credit_activity, payload";

async function writeRatings(
	tx: Transaction,
	rated: readonly RatedDeveloper[],
	now: Date,
): Promise<Map<number, number>> {
	const rows = rated.map(({ developer_id, counts, coverage, distress, payload }) => ({
		developer_id,
		counts,
		coverage,
		distress_components: distress.components,
		...payload,
		payload,
	}));
	const written = await tx<{ developer_id: number; version: number }[]>`
		insert into developer_ratings as t (${tx.unsafe(ratingColumns)}, version)
		select ${tx.unsafe(ratingColumns)}, ${now.getTime()}
		from json_populate_recordset(null::developer_ratings, ${JSON.stringify(rows)}::text::json)
		order by developer_id
		on conflict (developer_id) do update set (${tx.unsafe(ratingColumns)}, version)
			= (${tx.unsafe(excluded(ratingColumns))}, greatest(t.version + 1, excluded.version))
		returning developer_id, version`;
	return new Map(written.map((row) => [row.developer_id, row.version]));
}

function publishRatings(
	tx: Transaction,
	rated: readonly RatedDeveloper[],
	versions: Map<number, number>,
	now: Date,
): Promise<void> {
	const payloads = rated
		.filter(({ previous, payload }) => previous === null || !isDeepStrictEqual(previous.payload, payload))
		.map(({ developer_id, canonical_name, payload }) => {
			const version = versions.get(developer_id) ?? now.getTime();
			return {
				id: `${developerRated.name}:${developer_id}:${version}`,
				occurred_at: now.toISOString(),
				version,
				developer_id,
				developer_canonical: canonical_name,
				...payload,
			};
		});
	return publishAll(tx, developerRated, payloads);
}
