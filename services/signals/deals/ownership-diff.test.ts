import { describe, expect, it } from "vitest";
import { diffOwnership } from "./ownership-diff.ts";
import type { OwnedGenerator } from "./ownership-shares.ts";

type Owner = OwnedGenerator["owners"][number];

const operator = 100;
let ids = 1_000;

function owner(name: string, fraction = 1, more: Partial<Owner> = {}): Owner {
	return { id: ids++, name, canonical: null, parent: null, address: null, city: null, fraction, ...more };
}

const known = (name: string, fraction = 1, parent: string | null = null) =>
	owner(name, fraction, { canonical: name, parent });

/** A generator of a plant in Texas in 2024; 2025 with `later`. */
function generator(owners: Owner[], more: Partial<OwnedGenerator> = {}): OwnedGenerator {
	return {
		plant_id: 60001,
		plant_name: "Sandy Ridge",
		state: "TX",
		generator_id: "GEN1",
		year: 2024,
		technology: "Solar Photovoltaic",
		capacity_mw: 100,
		status: "OP",
		operatorId: operator,
		source: "eia_860_ownership",
		owners,
		...more,
	};
}

const implied = (one: Owner, more: Partial<OwnedGenerator> = {}) =>
	generator([one], { source: "eia_860_operator", operatorId: one.id ?? operator, ...more });

const diff = (before: Owner[], after: Owner[]) =>
	diffOwnership([generator(before)], [generator(after, { year: 2025 })]);

const found = (before: Owner[], after: Owner[]) =>
	diff(before, after).map(({ seller, buyer, fraction_owned, confidence }) => [
		seller,
		buyer,
		fraction_owned,
		confidence,
	]);

describe("a change of owner", () => {
	it("between two known companies on Schedule 4 is a sale of high confidence, dated with the later year", () => {
		const [change, ...rest] = diff([known("Alpha Power")], [known("Beta Renewables")]);
		expect(rest).toEqual([]);
		expect(change).toMatchObject({
			plant_id: 60001,
			generator_id: "GEN1",
			year: 2025,
			plant_name: "Sandy Ridge",
			state: "TX",
			technology: "Solar Photovoltaic",
			capacity_mw: 100,
			seller: "Alpha Power",
			seller_canonical: "Alpha Power",
			buyer: "Beta Renewables",
			buyer_canonical: "Beta Renewables",
			fraction_owned: 1,
			confidence: "high",
		});
	});

	it("has medium confidence if one party is not a known developer, or less than half was sold", () => {
		expect(found([known("Alpha Power")], [owner("Gamma Inc")])).toEqual([["Alpha Power", "Gamma Inc", 1, "medium"]]);
		expect(found([known("Alpha Power")], [known("Alpha Power", 0.6), known("Beta Renewables", 0.4)])).toEqual([
			["Alpha Power", "Beta Renewables", 0.4, "medium"],
		]);
	});

	it("has low confidence if one party is the operator, inferred as owner", () => {
		const alpha = known("Alpha Power");
		const beta = known("Beta Renewables");
		const changes = diffOwnership(
			[implied(alpha)],
			[generator([beta], { year: 2025, operatorId: alpha.id ?? operator })],
		);
		expect(changes).toMatchObject([{ seller: "Alpha Power", buyer: "Beta Renewables", confidence: "low" }]);
		expect(diffOwnership([implied(alpha)], [implied(beta, { year: 2025 })])).toMatchObject([{ confidence: "low" }]);
	});

	it("has low confidence if owner and operator only swapped roles", () => {
		const [alpha, beta] = [known("Alpha Power"), known("Beta Renewables")];
		const changes = diffOwnership(
			[generator([alpha], { operatorId: beta.id ?? 0 })],
			[generator([beta], { year: 2025, operatorId: alpha.id ?? 0 })],
		);
		expect(changes).toMatchObject([{ confidence: "low", reason: expect.stringContaining("were swapped") }]);
	});

	it("has low confidence if the names are similar", () => {
		expect(found([owner("Quillfeather Ventures Inc")], [owner("Quillfeather Mills Inc")])).toMatchObject([
			["Quillfeather Ventures Inc", "Quillfeather Mills Inc", 1, "low"],
		]);
	});

	it("has low confidence if a twentieth of the plant's generators does not show the buyer", () => {
		const [alpha, beta] = [known("Alpha Power"), known("Beta Renewables")];
		const plant = (sold: number, total: number) =>
			diffOwnership(
				Array.from({ length: total }, (_, at) => generator([alpha], { generator_id: `${at}` })),
				Array.from({ length: total }, (_, at) =>
					generator([at < sold ? beta : alpha], { generator_id: `${at}`, year: 2025 }),
				),
			).map(({ confidence }) => confidence);
		expect(plant(19, 20)).toEqual(Array(19).fill("low"));
		expect(plant(20, 21)).toEqual(Array(20).fill("high"));
	});
});

describe("shares", () => {
	it("below 0.05 are no change", () => {
		expect(found([known("Alpha Power")], [known("Alpha Power", 0.951), known("Beta Renewables", 0.049)])).toEqual([]);
		expect(found([known("Alpha Power")], [known("Alpha Power", 0.95), known("Beta Renewables", 0.05)])).toHaveLength(1);
	});

	it("are paired by size, the remainder with the next", () => {
		const before = [known("Alpha Power", 0.6), known("Delta Energy Co", 0.4)];
		const after = [known("Beta Renewables", 0.7), known("Gamma Wind Co", 0.3)];
		expect(found(before, after)).toEqual([
			["Alpha Power", "Beta Renewables", 0.7, "high"],
			["Delta Energy Co", "Beta Renewables", 0.7, "medium"],
			["Delta Energy Co", "Gamma Wind Co", 0.3, "medium"],
		]);
	});

	it("of one parent's companies count together", () => {
		const before = [known("Alpha North", 0.5, "Alpha Corp"), known("Alpha South", 0.5, "Alpha Corp")];
		expect(found(before, [known("Alpha East", 1, "Alpha Corp (sale pending)")])).toEqual([]);
		expect(found(before, [known("Beta Renewables")])).toEqual([["Alpha North", "Beta Renewables", 1, "high"]]);
	});

	it("that do not add up are not compared", () => {
		expect(found([known("Alpha Power")], [known("Beta Renewables", 0.5)])).toEqual([]);
		expect(found([], [known("Beta Renewables")])).toEqual([]);
	});
});

describe("is not reported as a sale:", () => {
	it.each([
		["one id under a new name", owner("Maple Wind LLC", 1, { id: 7 }), owner("Spruce Power Inc", 1, { id: 7 })],
		["a new id under the same name", owner("St. Ives Solar"), owner("ST IVES SOLAR, LLC")],
		["a company and its sister", known("Alpha North", 1, "Alpha Corp"), known("Alpha South", 1, "Alpha Corp")],
		["the next project company of a family", owner("Blue Jay Solar I LLC"), owner("Blue Jay Solar II LLC")],
		[
			"a project company at its sponsor's office",
			known("Alpha Power", 1),
			owner("Parrey, LLC", 1, { address: "30 Ivan Street", city: "Atlanta" }),
		],
		[
			"a shell at an agent's address with its sponsor's first word",
			owner("Brightwater Wind Holdings LLC", 1, { address: "1209 Orange Street", city: "Wilmington" }),
			owner("Brightwater Class B LLC", 1, { address: "9 Elm Road", city: "Boston" }),
		],
		["a sale to a trustee and leaseback", known("Alpha Power"), owner("Wilmington Trust Company")],
		["a buy-out of a lessor", owner("Bank of Utah, as Trustee"), known("Alpha Power")],
		["the plant's own company, where its operator stays", known("Alpha Power"), owner("Sandy Ridge Solar, LLC")],
	])("%s", (_, before, after) => {
		const at = (one: Owner) => (one.name === "Alpha Power" ? { ...one, address: "30 Ivan St.", city: "Atlanta" } : one);
		expect(diff([at(before)], [at(after)])).toEqual([]);
	});

	it("a joint company reported for all of its owners", () => {
		const office = { address: "30 Ivan Street", city: "Atlanta" };
		const before = [
			owner("Alpha Power", 0.51, { ...office, canonical: "Alpha Power" }),
			known("Delta Energy Co", 0.49),
		];
		expect(found(before, [owner("Parrey, LLC", 1, office)])).toEqual([]);
	});
});

describe("is reported as a sale:", () => {
	it("two companies at one agent's address", () => {
		const agent = { address: "1209 N Orange St", city: "Wilmington" };
		expect(found([owner("Heron Wind LLC", 1, agent)], [owner("Osprey Sky LLC", 1, agent)])).toHaveLength(1);
	});

	it("a sponsor's company with the plant's name after its own", () => {
		expect(found([owner("Heron Sandy Ridge LLC")], [owner("Osprey Wind Inc")])).toHaveLength(1);
	});

	it("two corporations at one office, because the mill was sold, not moved", () => {
		const office = { address: "3210 Mill Street", city: "East Chicago" };
		expect(found([owner("Heron Steel Inc", 1, office)], [owner("Osprey Cliffs Inc", 1, office)])).toHaveLength(1);
	});

	it("two owners of a joint plant that share an operator's office", () => {
		const office = { address: "14302 FNB Parkway", city: "Omaha" };
		const [heron, osprey] = ["Heron Gateway LLC", "Osprey Gateway LLC"].map((name) => owner(name, 0.5, office));
		if (heron === undefined || osprey === undefined) throw new Error("two owners");
		const after = [heron, { ...osprey, fraction: 0.2 }, known("Beta Renewables", 0.3)];
		expect(found([heron, osprey], after)).toEqual([["Osprey Gateway LLC", "Beta Renewables", 0.3, "medium"]]);
	});

	it("developers whose parent is only a kind of owner", () => {
		const [austin, jackson] = ["Austin Energy", "JEA"].map((name) => known(name, 1, "municipal"));
		if (austin === undefined || jackson === undefined) throw new Error("two owners");
		expect(found([austin], [jackson])).toEqual([["Austin Energy", "JEA", 1, "high"]]);
	});
});

describe("generators", () => {
	const [before, after] = [[known("Alpha Power")], [known("Beta Renewables")]];
	const changes = (first: Partial<OwnedGenerator>, later: Partial<OwnedGenerator>) =>
		diffOwnership([generator(before, first)], [generator(after, { year: 2025, ...later })]);

	it("are compared by their ids, including zeros", () => {
		expect(changes({ generator_id: "01" }, { generator_id: "1" })).toEqual([]);
		expect(changes({ generator_id: "01" }, { generator_id: "01" })).toHaveLength(1);
	});

	it("that are retired in either year, or unbuilt in the later, are not compared", () => {
		expect(changes({ status: "RE" }, {})).toEqual([]);
		expect(changes({}, { status: "RE" })).toEqual([]);
		expect(changes({}, { status: "U" })).toEqual([]);
		expect(changes({ status: "U" }, { status: "OP" })).toHaveLength(1);
	});
});
