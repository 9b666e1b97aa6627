/** Comparison with other publishers' counts of the same queues, and the reasons for differences. */
import { z } from "zod";
import { count, day, megawatts, named, share, timestamp } from "../../envelopes.ts";
import { queueIngestOperation } from "../../operation.ts";
import { choice, several } from "../../params.ts";
import { reconciliationClasses, reconciliationSources, regions, statuses } from "../../vocabulary.ts";
import { region } from "../projects/project.ts";

const sum = () =>
	z.strictObject({
		records: count().describe("Requests; generating units in the counts of eia860"),
		capacity_mw: megawatts("Capacity by that side's count; records without one count as 0"),
	});
const shown = named("ReconciledRecord", {
	id: z
		.string()
		.describe("Ours: of requests. Theirs: entity/number (lbnl), plant/generator (eia860), the milestone (operator)"),
	status: z.enum(statuses),
	capacity_mw: megawatts().nullable(),
});
const reason = {
	class: z.enum(reconciliationClasses).describe("Kind of difference"),
	rule: z.string().describe("Explained in `rules`"),
};

const compared = named("Reconciliation", {
	source: z.enum(reconciliationSources),
	region: z.enum(regions),
	title: z.string(),
	edition: day().describe("Edition of the publication"),
	compared_on: day().describe(
		"Day of our state (as_of): the edition's if a list of the two months before it is loaded; otherwise that of the first list after it, or of the last before it",
	),
	sha256: z.string().nullable().describe("SHA-256 of the archived file; null if the edition has several files"),
	ours: sum(),
	theirs: sum(),
	unexplained_mw: megawatts("Differences of class unexplained; for two statuses, the larger capacity"),
	unexplained_share: share("Share of the larger of the two totals"),
	matched_by: z
		.record(z.string(), count())
		.describe(
			"Number of pairs by method. number: the operator's; name_and_date: the same name, dates at most a month apart; plant: a link to a plant",
		),
	statuses: z
		.array(
			z.strictObject({
				status: z.enum(statuses),
				ours: sum(),
				theirs: sum(),
				reasons: z.array(z.strictObject({ ...reason, ours: sum(), theirs: sum() })),
			}),
		)
		.describe("The reasons of a status add up to its totals on either side, and the statuses to those of the region"),
	examples: z
		.array(z.strictObject({ ...reason, ours: shown.nullable(), theirs: shown.nullable() }))
		.describe("Three for each rule, largest first; at most three ids are named"),
	notes: z.array(z.string()).describe("Meaning of the publisher's terms and figures"),
});

export const getReconciliation = queueIngestOperation({
	summary:
		"Our counts and MW of each operator's queue beside Berkeley Lab's edition, form EIA-860 and the operator's own totals; every difference has a class and a rule.",
	params: z.strictObject({
		region: several(region(), regions.length).optional().describe("Grid operators; all when absent"),
		source: several(choice(reconciliationSources), reconciliationSources.length)
			.optional()
			.describe(
				"lbnl: Queued Up; eia860: operable and proposed units; operator: totals that its own file states. All when absent",
			),
	}),
	reply: z.strictObject({
		computed_at: timestamp()
			.nullable()
			.describe("After a list or an edition was loaded it is computed anew within minutes; null: not yet"),
		data: z.array(compared),
		rules: z.record(z.string(), z.string()).describe("Meaning of each rule"),
	}),
	http: { method: "GET", path: "/reconciliation", price: "free" },
	example: { region: "ERCOT" },
	noPast: "Each line compares with our state of the day that it names.",
});
