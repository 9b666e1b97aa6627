import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";
import { findRelations, findRepresentedRequests, type Member, type Request } from "./related.ts";

let made = 0;
const member = (name: string | null, more: Partial<Member> = {}): Member => ({
	...{ id: `X-${++made}`, name, poi: "Heron 345 kV", poi_id: "X-heron-345kv", type_std: "Solar", status_std: "Active" },
	...{ state: "IL", county: "Logan", lat: 40.1, lon: -89.4, developer: null, capacity_mw: 100 },
	...{ queue_date: `20${10 + made}-01-01`, withdrawn_date: null, ...more },
});
const relations = (...members: Member[]) =>
	findRelations(members).map(({ id, relation, other_id, method }) => [id, relation, other_id, method]);

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

it("a request filed long before the withdrawal, or for more capacity, is not a successor", () => {
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

it("a place name identifies a plant if the owner is the same, or without a published owner the capacity", () => {
	const first = { ...member("Midland Solar"), county: "Midland" };
	const second = (more: Partial<Member>) => ({ ...member("Midland Solar 2", more), county: "Midland" });
	expect(relations(first, second({ capacity_mw: 150 }))).toEqual([]);
	expect(relations(first, second({}))).toHaveLength(1);
	const owned = { ...first, developer: "Heron Renewables, LLC" };
	expect(relations(owned, second({ developer: "Tern Power LLC" }))).toEqual([]);
	expect(relations(owned, second({ developer: "Heron Renewables Inc", capacity_mw: 150 }))).toHaveLength(1);
});

const elsewhere = (more: Partial<Member> = {}): Partial<Member> => ({
	poi: "Stint 138 kV",
	poi_id: "X-stint-138kv",
	...more,
});

it("requests for one plant at two points within half a year are alternatives, also in neighbouring counties, unless both operate", () => {
	const first = member("Tern Ridge Solar", { queue_date: "2024-01-15" });
	const second = member(
		"Tern Ridge",
		elsewhere({ queue_date: "2024-03-01", county: "Sangamon", lat: 39.8, lon: -89.6 }),
	);
	expect(relations(first, second)).toEqual([[second.id, "alternative_of", first.id, "name_and_place"]]);
	for (const other of [
		{ capacity_mw: 150 },
		{ name: "Tern Ridge 2" },
		{ lat: 37 },
		{ queue_date: "2025-03-01" },
		{ developer: "Tern LLC" },
	])
		expect(relations({ ...first, developer: "Heron LLC" }, { ...second, ...other })).toEqual([]);
	const built = { status_std: "Operational" } as const;
	expect(relations({ ...first, ...built }, { ...second, county: "Logan", ...built })).toEqual([
		[second.id, "sibling", first.id, "name_and_place"],
	]);
});

it("a request at another point of the county replaces one of the same name and technology, with storage too", () => {
	const gone = member("Tern Ridge", {
		queue_date: "2018-01-01",
		status_std: "Withdrawn",
		withdrawn_date: "2020-01-01",
	});
	const again = member("Tern Ridge", elsewhere({ queue_date: "2021-01-01", type_std: "Solar + Storage" }));
	expect(relations(gone, again)).toEqual([[again.id, "successor_of", gone.id, "name_and_place"]]);
	expect(relations(gone, { ...again, queue_date: "2026-01-01" })).toEqual([]);
	expect(relations(gone, { ...again, county: "Sangamon" })).toEqual([]);
});

it("a plant is represented by its active, then most advanced, then newest request; a replaced request does not add capacity", () => {
	const request = (name: string, more: Partial<Request> = {}): Request => {
		const filed = { ...member(name), listed: "listed" as const, is_active: true, construction_stage: "early" as const };
		return { ...filed, ...more };
	};
	const gone = { status_std: "Withdrawn", is_active: false, construction_stage: "withdrawn" } as const;
	const first = request("Tern Ridge", { ...gone, withdrawn_date: "2012-01-01" });
	const again = request("Tern Ridge");
	const late = request("Tern Ridge 2", { construction_stage: "late" });
	const newest = request("Tern Ridge BESS", { type_std: "Storage" });
	const alone = request("Plover");
	const all = [first, again, late, newest, alone];
	const by = { represented_by: late.id };
	expect(findRepresentedRequests(all, findRelations(all)).sort((a, b) => a.id.localeCompare(b.id))).toEqual([
		{ id: first.id, ...by, is_repeat: true },
		{ id: again.id, ...by, is_repeat: false },
		{ id: newest.id, ...by, is_repeat: false },
	]);
	expect(findRepresentedRequests([first, again], findRelations([first, again]))).toMatchObject([
		{ represented_by: again.id },
	]);
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

it("at least 95 % of 200 hand-checked pairs are related as stated", () => {
	const sideOf = (pair: Pair, side: Side): Member => ({
		...member(pair[`${side}_name`], { id: pair[side], poi: pair[`${side}_poi`], type_std: pair[`${side}_type`] }),
		...{ status_std: pair[`${side}_status`] as Member["status_std"], queue_date: pair[`${side}_queued`] || null },
		withdrawn_date: pair[`${side}_withdrawn`] || null,
	});
	const stated = pairs.filter((pair) =>
		findRelations([sideOf(pair, "later"), sideOf(pair, "earlier")]).some(({ relation }) => relation === pair.relation),
	);
	expect(pairs).toHaveLength(200);
	expect(stated.length).toBeGreaterThan(190);
	expect(stated.filter(({ verdict }) => verdict === "right").length / stated.length).toBeGreaterThanOrEqual(0.95);
});

/** 100 of all pairs and 40 of those at several points, drawn at random from the lists at hand and read by a person. */
const readPairs: Record<string, string>[] = parse(
	readFileSync(new URL("../../../tools/truth/plants-by-hand.csv", import.meta.url)),
	{ columns: true },
);

it("at least 95 % of 140 hand-checked pairs of all operators belong to one plant", () => {
	const sideOf = (pair: Record<string, string>, side: Side): Member => {
		const value = (name: string) => pair[`${side}_${name}`] || null;
		return member(value("name"), {
			...{
				id: pair[side] ?? "",
				poi: value("poi"),
				poi_id: value("poi_id"),
				county: value("county"),
				state: value("state"),
			},
			...{
				developer: value("developer"),
				type_std: value("type") ?? "",
				status_std: value("status") as Member["status_std"],
			},
			...{ capacity_mw: value("mw") === null ? null : Number(value("mw")), queue_date: value("queued") },
			withdrawn_date: value("withdrawn"),
		});
	};
	const stated = readPairs.filter((pair) =>
		findRelations([sideOf(pair, "later"), sideOf(pair, "earlier")]).some(
			({ relation, method }) => relation === pair.relation && method === pair.method,
		),
	);
	expect(readPairs).toHaveLength(140);
	expect(stated.length).toBeGreaterThan(135);
	expect(stated.filter(({ verdict }) => verdict === "right").length / stated.length).toBeGreaterThanOrEqual(0.95);
});
