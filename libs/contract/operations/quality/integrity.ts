/** Quality of the queue data. */
import { z } from "zod";
import { count, day, megawatts, named, page, pageMeta, quantity, share, timestamp } from "../../envelopes.ts";
import { queueIngestOperation } from "../../operation.ts";
import { choice, listParams } from "../../params.ts";
import { type IntegrityFinding, integrityFindings, statuses } from "../../vocabulary.ts";
import { asOf, coverageMeta } from "../as-of.ts";
import { region } from "../projects/project.ts";

const percent = quantity("percent", "Share of the region's requests").min(0).max(100);
const regionIntegrity = named("RegionIntegrity", {
	total: count(),
	active: count(),
	operational: count(),
	last_change: timestamp().nullable().describe("Time of the last change"),
	energized: count(),
	coverage: z.strictObject({
		developer: percent,
		queue_date: percent,
		cod: percent,
		county: percent,
		parent: percent,
		poi_substation: percent,
	}),
});

const findingsMean: Record<IntegrityFinding, string> = {
	zombies: "active, three years past the projected date, unchanged for two years",
	cod_before_queue_date: "operation, projected or begun, before the request entered the queue",
	implausible_date:
		"operation before 1996, when the first of these queues opened, or projected for more than 20 years ahead; or a past event (queue date, operation, withdrawal) in the future",
	operational_without_date:
		"operational, but no date of operation or energization is filed; cod is only the projection",
};

const findingCount = (finding: IntegrityFinding) =>
	z.strictObject({ total: count(), by_region: z.record(z.string(), count()) }).describe(findingsMean[finding]);

const zombie = {
	id: z.string(),
	region: z.string(),
	name: z.string().nullable(),
	cod: z.string(),
	capacity_mw: megawatts().nullable(),
	last_changed_at: timestamp(),
};

export const getQueueIntegrity = queueIngestOperation({
	summary:
		"Quality of the queue data: totals, coverage, quarantined snapshots and implausible values; requests without progress, a page at a time.",
	params: listParams({}, 500),
	reply: z.strictObject({
		snapshot: z.strictObject({
			generated_at: timestamp(),
			regions: z.record(z.string(), regionIntegrity).describe("By grid operator"),
			permits: z
				.record(
					z.string(),
					z.strictObject({
						permits: count().describe("Requests with a day on which the permit was given"),
						matched: count().describe("Permits of requests that are listed"),
						last: timestamp().nullable().describe("Newest day on which a permit was given"),
					}),
				)
				.describe(
					"Environmental permits as operators state them, by operator and kind: `ERCOT air`, `ERCOT ghg` (greenhouse gases). The permit of one request is in its `raw`",
				),
			findings: z
				.strictObject({
					zombies: findingCount("zombies"),
					cod_before_queue_date: findingCount("cod_before_queue_date"),
					implausible_date: findingCount("implausible_date"),
					operational_without_date: findingCount("operational_without_date"),
				})
				.describe("Number of listed requests with each finding; GET /queue/integrity/{finding} lists them"),
			zombies: z.array(z.strictObject(zombie)).describe("One page, longest overdue first: see meta"),
			stale_sources: z.array(z.string()).describe("Overdue sources"),
		}),
		meta: z.strictObject(pageMeta).describe("Page of snapshot.zombies"),
		alerts: z.array(
			z.strictObject({
				region: z.string(),
				feed: z.string(),
				level: z.enum(["quarantined", "failed", "warning"]).describe("Severity"),
				reason: z.string(),
				as_of: timestamp(),
				raised_at: timestamp().describe("Time of the alert"),
				snapshot_id: z.int().nullable(),
			}),
		),
		has_baseline: z.boolean(),
	}),
	http: { method: "GET", path: "/queue/integrity", price: "free" },
	example: {},
	maxAgeMs: 60_000,
});

export const listIntegrityFindings = queueIngestOperation({
	summary: "Listed requests without progress, or with dates that cannot be right, a page at a time.",
	params: listParams(
		{
			finding: choice(integrityFindings).describe(
				integrityFindings.map((finding) => `${finding}: ${findingsMean[finding]}`).join("; "),
			),
			region: region().optional().describe("Grid operator"),
		},
		500,
	),
	reply: page(
		z.strictObject({
			...zombie,
			cod: day().nullable(),
			status: z.string().nullable().describe("As filed"),
			status_std: z.enum(statuses),
			queue_date: day().nullable(),
			actual_cod: day().nullable(),
			energized_date: day().nullable(),
			withdrawn_date: day().nullable(),
		}),
	),
	http: { method: "GET", path: "/queue/integrity/{finding}", price: "free" },
	example: { finding: "cod_before_queue_date" },
	maxAgeMs: 60_000,
});

export const validate = queueIngestOperation({
	summary: "Share of the listed generation requests with a known value of each enrichment.",
	params: z.strictObject(asOf),
	reply: z.strictObject({
		total_projects: count().describe("Listed generation requests, as in /stats"),
		coverage: z.strictObject({
			geocoded: share("Share with coordinates (`lat` is not null) of any precision"),
			ia_status: share("Share with a known `ia_status`: filed or derived, and not In Progress (unknown study)"),
			developer_tier: share("Share whose `developer_tier` is not unknown"),
			tax_credit_eligibility: share(
				"Share of Active and Suspended requests whose `tax_credit_status` is not requires_determination; others receive no credit. Null with as_of",
			).nullable(),
			construction_stage: share(
				"Share whose `construction_stage` has evidence beyond the request being open (confidence above 0.5)",
			),
		}),
		meta: coverageMeta,
	}),
	http: { method: "GET", path: "/validate", price: "free" },
	example: {},
});
