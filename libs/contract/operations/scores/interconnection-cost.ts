/** The cost of connecting a request, from its own study or from those of its neighbours. */
import { z } from "zod";
import { count, day, named, quantity } from "../../envelopes.ts";
import { costBases, costNeighbourhoods } from "../../vocabulary.ts";

const perKw = (what: string) => quantity("USD/kW", what).min(0);

const dollarsYear = (otherwise: string) =>
	z.int().nullable().describe(`The year whose dollars these are; null ${otherwise}`);

const costNeighbours = named("CostNeighbours", {
	chosen_by: z
		.enum(costNeighbourhoods)
		.describe(
			"The nearest of: poi, at least 3 requests at the same point of interconnection; transmission_owner, at least 5 of the same transmission owner and technology; region, at least 5 of the same operator and technology",
		),
	place: z.string().nullable().describe("That point or transmission owner, as filed; null of region"),
	type_std: z.string().nullable().describe("Their technology; null of poi, where any counts"),
	n: count().describe("Requests with a cost of their own, whatever became of them"),
	p25_usd_per_kw: perKw("A quarter of them cost less"),
	median_usd_per_kw: perKw("Half of them cost less"),
	p75_usd_per_kw: perKw("A quarter of them cost more"),
	studied_from: day().nullable().describe("Day of their oldest study"),
	studied_to: day().nullable().describe("Day of their newest study"),
	dollars_year: dollarsYear("where they are of several years"),
});

export const interconnectionCost = named("InterconnectionCost", {
	basis: z
		.enum(costBases)
		.describe("own: a study of this request; neighbours: it has none that is known, and others have"),
	ic_cost_usd_per_kw: perKw("Interconnection cost by the newest study of this request").nullable(),
	poi_usd_per_kw: perKw("Of it, what is built at the point of interconnection").nullable(),
	network_usd_per_kw: perKw("Of it, upgrades of the network").nullable(),
	study: z.string().nullable().describe("Kind of study, as filed"),
	studied_on: day().nullable().describe("Day of the study"),
	dollars_year: dollarsYear("where it is not stated"),
	source: z.string().nullable().describe("Study or file that states it"),
	neighbours: costNeighbours.nullable().describe("Null where basis is own"),
});
