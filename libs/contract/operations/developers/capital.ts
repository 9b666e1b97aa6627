/** Capital that developers raised, projects that they built, and their financial health. */
import { z } from "zod";
import { count, day, megawatts, named, pageMeta, quantity, share, usd } from "../../envelopes.ts";
import { scoringOperation } from "../../operation.ts";
import { choice, decimal, flag, limitedListParams, words } from "../../params.ts";
import {
	companyKinds,
	developerFacts,
	developerTiers,
	distressLevels,
	matchMethods,
	taxCreditActivities,
} from "../../vocabulary.ts";

const perKw = () => quantity("USD/kW").min(0).nullable().describe("Null until costs are loaded");

const distressSignal = named("DistressSignal", {
	level: z.enum(distressLevels).describe("unknown: too little was checked (see coverage)"),
	score: z.int().min(0).max(100),
	components: z
		.strictObject({
			capital_raised_low_deployment: z.boolean(),
			interconnection_cost_burden: z
				.strictObject({ high_cost_projects: count(), max_cost_per_kw: perKw() })
				.nullable()
				.describe("Null if no cost is known"),
			behind_schedule: z.strictObject({ count: count(), share: share().nullable() }),
			high_withdrawal_rate: share()
				.nullable()
				.describe("Share of requests withdrawn; points are for the excess over the expected share"),
			withdrawals: z.strictObject({
				count: count(),
				expected: quantity("requests")
					.min(0)
					.nullable()
					.describe("Expected at the rate of peers: same operators and queue years"),
			}),
			litigation: count(),
			distress_events: count(),
			points: z.record(z.string(), quantity("points")).describe("Points of each component"),
			bankruptcy: z.boolean().describe("Confirmed within 24 months: the score is at least 85"),
		})
		.nullable()
		.describe("Null if there is too little evidence"),
	judged: z.boolean().describe("False if nothing is known"),
	version: z.int().describe("Version of the rules"),
});

const lookedAt = (what: string) => z.boolean().describe(what);
const coverage = z
	.strictObject({
		schedule: z.strictObject({
			looked_at: lookedAt("An active request states when it is to operate"),
			active: count(),
			with_cod: count(),
		}),
		withdrawals: z.strictObject({
			looked_at: lookedAt("At least five requests are finished"),
			finished: count().describe("Operating or withdrawn"),
		}),
		costs: z.strictObject({ looked_at: lookedAt("An interconnection cost is known"), requests: count() }),
		news: z.strictObject({ looked_at: lookedAt("A headline of the last 24 months names it"), headlines: count() }),
		filings: z.strictObject({
			looked_at: lookedAt("A current report of the last 24 months is its issuer's"),
			reports: count().describe("Number of reports"),
		}),
		form_d: z.strictObject({
			looked_at: lookedAt("One of its offerings is known, or 30 of the last 36 months of Form D are loaded"),
			offerings: count().describe("Number of offerings"),
			months: z.int().min(0).max(36).describe("How many of the last 36 months are loaded"),
		}),
		missing: z.array(z.enum(developerFacts)).describe("Facts that were not checked"),
		points: z.int().min(0).max(100).describe("Points of distress that could be assessed; below 45 no level is Low"),
	})
	.describe("Evidence for distress and capital, and how much of it was available");

const rating = {
	developer_id: z.int(),
	developer: z.string(),
	tier: z.enum(developerTiers),
	company_kind: z.enum(companyKinds).nullable().describe("special_purpose: made for one project; null until known"),
	capital_raised: usd()
		.min(0)
		.nullable()
		.describe("USD sold by the newest filing of each Form D offering; null if Form D was not checked"),
	raise_count: count().describe("Number of offerings"),
	latest_raise: day().nullable().describe("Day of the latest offering"),
	operational_capacity_mw: megawatts(),
	active_capacity_mw: megawatts(),
	late_stage_mw: megawatts("Late-stage MW not yet connected"),
	capital_per_operational_mw: quantity("USD/MW")
		.nullable()
		.describe("Divergence; null when nothing operates or capital_raised is null"),
};
const events = { financing_events: count(), ma_events: count(), distress_events: count(), litigation_events: count() };
const costs = { high_ic_cost_projects: count().nullable(), max_ic_cost_per_kw: perKw() };

/** `?tier=a,b` */
const tiers = () =>
	words(1, 200)
		.refine(
			(value) =>
				value.split(",").every((word) => (developerTiers as readonly string[]).includes(word.trim().toLowerCase())),
			`must be tiers separated by commas, of ${developerTiers.join(", ")}`,
		)
		.meta({ pattern: `^(${developerTiers.join("|")})(,(${developerTiers.join("|")}))*$` });

const includeParent = () =>
	flag().default(false).describe("Also count events of worldwide parents; distress never includes them");

const leaderboardSorts = ["capital_raised", "divergence", "distress"] as const;

export const getCapitalLeaderboard = scoringOperation({
	summary:
		"Developers ranked by capital raised, capital per operating MW, or distress; ties and unknown values by late_stage_mw.",
	params: limitedListParams(
		{
			sort: choice(leaderboardSorts).default("capital_raised").describe("Column to rank by, highest first, null last"),
			min_raised: decimal(0, 1e13, "USD").default(0).describe("Least capital_raised, USD"),
			tier: tiers().optional().describe("Tiers to include, separated by commas"),
			include_parent: includeParent(),
			exclude_tiers: tiers().optional().describe("Tiers to leave out, separated by commas"),
		},
		200,
	),
	reply: z.strictObject({
		data: z.array(
			z.strictObject({
				...rating,
				...events,
				withdrawal_rate: share().nullable(),
				active_projects: count(),
				behind_schedule: count(),
				...costs,
				distress_signal: distressSignal,
				coverage,
			}),
		),
		count: count().describe("Rows of this page"),
		sort: z.enum(leaderboardSorts).describe("Sort column"),
		meta: z.strictObject(pageMeta),
	}),
	http: { method: "GET", path: "/capital/leaderboard", price: "standard" },
	example: { sort: "distress" },
	noPast: "Ratings are current.",
});

export const getDeveloperCapital = scoringOperation({
	summary: "Capital that a developer raised, what it built, and signs that it is in distress or needs capital.",
	params: z.strictObject({
		developer_id: words().describe("Numeric id, canonical name, or an alias that no other developer has"),
		include_parent: includeParent(),
	}),
	reply: z.strictObject({
		...rating,
		raises: z
			.array(
				z.strictObject({
					filing_date: day(),
					issuer_name: z.string(),
					total_offering_amount: usd().min(0).nullable(),
					total_amount_sold: usd().min(0).nullable(),
					is_amendment: z.union([z.literal(0), z.literal(1)]),
					match_method: z.enum(matchMethods),
					is_latest: z.boolean().describe("Counted in capital_raised"),
				}),
			)
			.describe("Newest first, at most 500"),
		behind_schedule_projects: count(),
		cod_slipped_projects: count(),
		stuck_in_queue_projects: count(),
		...costs,
		signal_events: z.strictObject(events),
		distress_signal: distressSignal,
		coverage,
		needs_capital: z.boolean().nullable().describe("Null if too little was checked"),
		needs_capital_reasons: z.array(z.string()).describe("Reasons, as sentences"),
		tax_credit_activity: z.enum(taxCreditActivities),
	}),
	http: { method: "GET", path: "/developers/{developer_id}/capital", price: "standard" },
	example: { developer_id: "Invenergy" },
	noPast: "Ratings are current; filings and headlines are dated.",
});
