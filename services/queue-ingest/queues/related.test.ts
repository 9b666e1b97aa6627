import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";
import { type Member, relationsOf } from "./related.ts";

let made = 0;
const member = (name: string | null, more: Partial<Member> = {}): Member => ({
	...{ id: `X-${++made}`, name, poi: "Heron 345 kV", type_std: "Solar", status_std: "Active" },
	...{ queue_date: `20${10 + made}-01-01`, withdrawn_date: null, ...more },
});
const relations = (...members: Member[]) =>
	relationsOf(members).map(({ id, relation, other_id, method }) => [id, relation, other_id, method]);

it("a request with the name and technology of a withdrawn one succeeds it; phases and storage are siblings of the first", () => {
	const gone = member("Tern Ridge Solar", { status_std: "Withdrawn", withdrawn_date: "2012-05-01" });
	const again = member("TERN RIDGE SOLAR PARK, LLC");
	const second = member("Tern Ridge II");
	const storage = member("Tern Ridge BESS", { type_std: "Storage" });
	expect(relations(storage, second, again, gone)).toEqual([
		[again.id, "successor_of", gone.id, "name"],
		[second.id, "sibling", gone.id, "name_without_number"],
		[storage.id, "sibling", gone.id, "name"],
	]);
});

it("a request filed long before the other was withdrawn, or for more capacity, succeeds nothing", () => {
	const early = member("Plover Wind", {
		queue_date: "2015-01-01",
		status_std: "Withdrawn",
		withdrawn_date: "2020-01-01",
	});
	const meanwhile = member("Plover Wind", { queue_date: "2016-01-01" });
	const expansion = member("Plover Wind Expansion", { queue_date: "2021-01-01" });
	expect(relations(early, meanwhile, expansion).map(([, relation]) => relation)).toEqual(["sibling", "sibling"]);
});

it("requests with other names, without names, or with the name of the point or a fuel are not related", () => {
	expect(relations(member("Tern"), member("Plover"), member(null), member(null))).toEqual([]);
	expect(relations(member("Heron Solar"), member("Heron Storage"))).toEqual([]);
	expect(
		relations(member("Biomass"), member("Biomass"), member("Offshore Wind"), member("Offshore Wind Increase")),
	).toEqual([]);
});

type Side = "later" | "earlier";
type Pair = Record<
	Side | `${Side}_${"name" | "poi" | "type" | "status" | "queued" | "withdrawn"}` | "relation" | "verdict",
	string
>;

/** Drawn at random, 80 of successors and 120 of siblings, and read by a person with names, owners, MW, dates and counties. */
const pairs: Pair[] = parse(readFileSync(new URL("../../../tools/truth/related-by-hand.csv", import.meta.url)), {
	columns: true,
});

it("at least 95 % of 200 pairs that were read by hand are related as stated", () => {
	const sideOf = (pair: Pair, side: Side): Member => ({
		...{ id: pair[side], name: pair[`${side}_name`], poi: pair[`${side}_poi`], type_std: pair[`${side}_type`] },
		...{ status_std: pair[`${side}_status`], queue_date: pair[`${side}_queued`] || null },
		withdrawn_date: pair[`${side}_withdrawn`] || null,
	});
	const stated = pairs.filter((pair) =>
		relationsOf([sideOf(pair, "later"), sideOf(pair, "earlier")]).some(({ relation }) => relation === pair.relation),
	);
	expect(pairs).toHaveLength(200);
	expect(stated.length).toBeGreaterThan(190);
	expect(stated.filter(({ verdict }) => verdict === "right").length / stated.length).toBeGreaterThanOrEqual(0.95);
});
