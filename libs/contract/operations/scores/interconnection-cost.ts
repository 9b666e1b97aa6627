/** Interconnection cost of a request, from its own study or from neighboring requests. */
import { z } from "zod";
import { count, day, named, quantity } from "../../envelopes.ts";
import { costBases, costNeighbourhoods } from "../../vocabulary.ts";

const perKw = (what: string) => quantity("USD/kW", what).min(0);

const dollarsYear = (otherwise: string) => z.int().nullable().describe(`Year of the dollars; null ${otherwise}`);

export const costNeighbours = named("CostNeighbours", {
	chosen_by: z
		.enum(costNeighbourhoods)
		.describe(
			"The nearest of: poi, at least 3 requests at the same point; transmission_owner, at least 5 of the same owner and technology; region, at least 5 of the same operator and technology",
		),
	place: z.string().nullable().describe("The point or transmission owner, as filed; null for region"),
	type_std: z.string().nullable().describe("Their technology; null for poi, where any technology counts"),
	n: count().describe("Requests with their own cost, of any status"),
	p25_usd_per_kw: perKw("First quartile"),
	median_usd_per_kw: perKw("Median"),
	p75_usd_per_kw: perKw("Third quartile"),
	studied_from: day().nullable().describe("Day of their oldest study"),
	studied_to: day().nullable().describe("Day of their newest study"),
	dollars_year: dollarsYear("if they are of several years"),
});

export const interconnectionCost = named("InterconnectionCost", {
	basis: z
		.enum(costBases)
		.describe("own: a study of this request; neighbours: the request has no known study, but others nearby have"),
	ic_cost_usd_per_kw: perKw("Interconnection cost by the newest study of this request").nullable(),
	poi_usd_per_kw: perKw("Part for facilities at the point of interconnection").nullable(),
	network_usd_per_kw: perKw("Part for network upgrades").nullable(),
	study: z.string().nullable().describe("Kind of study, as filed"),
	studied_on: day().nullable().describe("Day of the study"),
	dollars_year: dollarsYear("if it is not stated"),
	source: z.string().nullable().describe("Study or file that states it"),
	neighbours: costNeighbours.nullable().describe("Null if basis is own"),
});

export const costSummary = named("CostSummary", {
	n: count(),
	median_usd_per_kw: perKw("Median"),
	studied_from: day().nullable().describe("Day of the oldest study"),
	studied_to: day().nullable().describe("Day of the newest study"),
	dollars_year: dollarsYear("if the studies are of several years"),
});
