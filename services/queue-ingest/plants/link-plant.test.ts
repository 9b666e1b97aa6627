import { describe, expect, it } from "vitest";
import type { LinkPlant, LinkProject } from "./link-pair.ts";
import { type Link, linkPlant, withoutRivals } from "./link-plant.ts";
import { familiesOf } from "./plant-families.ts";
import { compareNames, namesOf, placeWords } from "./plant-names.ts";

const project = (change: Partial<LinkProject> = {}): LinkProject => ({
	...{ id: "ERCOT-1", region: "ERCOT", state: "TX", counties: ["Travis"], names: namesOf("Quail Run Solar") },
	...{
		families: ["solar"],
		capacityMw: 100,
		isBuilt: true,
		isLate: false,
		queueYear: 2016,
		operationYear: 2019,
		plannedYear: null,
	},
	...{ shellNames: [], companies: [], utility: null, poi: "", poiWords: [], place: null },
	...change,
});
const studied = (change: Partial<LinkProject> = {}) =>
	project({ isBuilt: false, queueYear: 2022, operationYear: null, plannedYear: 2027, ...change });
const plant = (change: Partial<LinkPlant> & { called?: string | null } = {}): LinkPlant => {
	const { called = "Quail Run Solar, LLC", ...rest } = change;
	return {
		...{
			plantId: 60001,
			name: called,
			names: namesOf(called),
			state: "TX",
			county: "Travis",
			around: [],
			beside: [],
			place: null,
		},
		...{ region: "ERCOT", gridOwner: null, companies: [] },
		units: [{ family: "solar", capacityMw: 98, summerMw: null, year: 2019, isPlanned: false }],
		...rest,
	};
};
const unit = (family: LinkPlant["units"][number]["family"], capacityMw: number, year: number, isPlanned = true) => ({
	...{ family, capacityMw, summerMw: null, year, isPlanned },
});
/** As those of one list: links of all, less those that a rival could have. */
const linkAll = (projects: LinkProject[], plants: LinkPlant[]): Link[] =>
	withoutRivals(
		projects.flatMap((one) => linkPlant(one, plants) ?? []),
		projects,
		new Map(plants.map((one) => [one.plantId, one])),
	);

describe("a request and a plant", () => {
	it("match if name, county, technology and capacity agree", () => {
		expect(linkPlant(project(), [plant()])).toEqual({
			projectId: "ERCOT-1",
			plantId: 60001,
			method: "name",
			confidence: 0.96,
			kind: "direct",
			evidence:
				"same name (Quail Run Solar, LLC); Travis County, TX; 100 MW asked for, 98 MW solar reported; in operation 2019",
		});
	});

	it.each<[string, Partial<LinkProject>, Partial<LinkPlant> & { called?: string }]>([
		["stand in two states", {}, { state: "OK" }],
		["are under two grid operators", {}, { region: "SPP" }],
		["are of two technologies", { families: ["wind"] }, {}],
		["have two names, whatever else agrees", {}, { called: "Heron Lake" }],
		["are two phases", { names: namesOf("Quail Run Solar II") }, { called: "Quail Run Solar III" }],
		["are not surely one phase", { names: namesOf("Quail Run Solar II") }, {}],
		["share a name and stand elsewhere, with another capacity", { counties: ["Bexar"], capacityMw: 20 }, {}],
		[
			"share only the county's name and not the capacity",
			{ names: namesOf("Travis County Solar"), capacityMw: 40 },
			{ called: "Travis Solar" },
		],
		["cannot be: the plant ran before, and is smaller", { queueYear: 2020, capacityMw: 150 }, {}],
		["cannot be: the request is many times the plant", { capacityMw: 400 }, {}],
		["are not sure: the request is still studied and the capacity differs", { isBuilt: false, capacityMw: 60 }, {}],
		["have no name to compare, and the year is not known", { names: [], operationYear: null }, {}],
		["have no name to compare, and the capacity is only near", { names: [], capacityMw: 93 }, {}],
	])("are not linked when they %s", (_, change, other) => {
		expect(linkPlant(project(change), [plant(other)])).toBeNull();
	});

	it("match by a name in brackets, another notation of phases, or an added place name", () => {
		const named = (name: string, called: string) =>
			linkPlant(project({ names: namesOf(name) }), [plant({ called })])?.method;
		expect(named("SOLAR STAR XIII (QUAIL RUN)", "Quail Run Solar PV Project")).toBe("name");
		expect(named("Quail Run Solar Phase Two", "Quail Run II")).toBe("name");
		expect(named("Quail Run 1", "Quail Run Solar")).toBe("name");
		expect(named("Quail Run", "RE Quail Run West, LLC")).toBe("name_close");
	});

	it("do not match by the name of a company of several phases if the phase differs (ERCOT-24INR0578)", () => {
		const request = project({
			names: namesOf("Panther Creek 1 Repower"),
			shellNames: namesOf("Panther Creek Wind Farm I&II, LLC"),
		});
		expect(linkPlant(request, [plant({ called: "Panther Creek Wind Farm II" })])).toBeNull();
		expect(linkPlant(request, [plant({ called: "Panther Creek Wind Farm I" })])?.method).toBe("name");
	});

	it("match although only one name contains offshore (ISO-NE-624)", () => {
		const request = project({ names: namesOf("Vineyard Offshore Wind"), counties: [] });
		expect(linkPlant(request, [plant({ called: "Vineyard Wind 1", county: null })])?.method).toBe("name");
	});

	it("match with lower confidence by county, capacity and year if the operator publishes no name", () => {
		const nameless = project({ names: [] });
		expect(linkPlant(nameless, [plant({ called: "Heron Lake" })])).toMatchObject({
			method: "county_capacity_year",
			confidence: 0.57,
		});
	});

	it("are not linked if two plants fit equally well", () => {
		expect(linkPlant(project(), [plant(), plant({ plantId: 60002 })])).toBeNull();
		const better = plant({ plantId: 60002, county: "Bexar" });
		expect(linkPlant(project(), [plant(), better])?.plantId).toBe(60001);
	});
});

describe("a request that is not built and a plant that is planned", () => {
	const coming = (change: Partial<LinkPlant> & { called?: string | null } = {}, capacityMw = 100) =>
		plant({ units: [unit("solar", capacityMw, 2027)], ...change });

	it("match by name and county or coordinates, with higher confidence if the capacity fits", () => {
		expect(linkPlant(studied(), [coming()])).toMatchObject({ method: "name", confidence: 0.94 });
		expect(linkPlant(studied(), [coming({}, 160)])).toMatchObject({ method: "name", confidence: 0.86 });
		const around = linkPlant(studied(), [coming({ county: null, around: ["Travis", "Hays"] })]);
		expect(around?.evidence).toContain("by its coordinates in Travis");
	});

	it("match by county, capacity and year if the operator publishes no name and nothing else fits equally well", () => {
		const nameless = studied({ names: [], isLate: true });
		const found = { method: "county_capacity_year", confidence: 0.64, points: 11 };
		expect(linkPlant(nameless, [coming({ called: "Heron Lake" })])).toMatchObject(found);
		expect(linkPlant(nameless, [coming({}), coming({ plantId: 60002 }, 99.7)])).toBeNull();
		expect(linkPlant(nameless, [coming({}), coming({ plantId: 60002 }, 95)])?.plantId).toBe(60001);
		expect(linkPlant(nameless, [coming({ county: null, around: ["Hays", "Travis"] })])).toBeNull();
		expect(linkPlant(nameless, [coming({ county: null, around: ["Travis", "Hays"] })])).toMatchObject(found);
		expect(linkPlant(nameless, [coming({}, 97)])).toBeNull();
		// A date that has slipped is the list's to move, one that is far before it is not.
		expect(linkPlant({ ...nameless, plannedYear: 2032 }, [coming()])).toBeNull();
		expect(
			linkPlant({ ...nameless, plannedYear: 2023, utility: "ATC LLC" }, [coming({ gridOwner: "ATC" })]),
		).not.toBeNull();
		expect(linkPlant({ ...nameless, isLate: false }, [coming()])).toBeNull();
		// Small ones need what large ones do, and the owner of the grid.
		expect(linkPlant({ ...nameless, capacityMw: 10 }, [coming({}, 10)])?.points).toBe(10);
	});

	it("match for several requests at one point of interconnection, but not at two points", () => {
		const first = studied({ id: "A", names: [], isLate: true, poi: "lydia" });
		const twin = { ...first, id: "B", capacityMw: 100.1 };
		const found = linkAll([first, twin], [coming()]);
		expect(found.map(({ projectId, kind }) => [projectId, kind])).toEqual([
			["A", "one_of"],
			["B", "one_of"],
		]);
		expect(found[0]?.evidence).toContain("one of 2 requests at its point of interconnection");
		expect(linkAll([first, { ...twin, poi: "welsh" }], [coming()])).toEqual([]);
		const weaker = { ...twin, isLate: false, poi: "welsh" };
		expect(linkAll([first, weaker], [coming()]).map(({ projectId }) => projectId)).toEqual(["A"]);
		expect(linkAll([first, { ...weaker, names: namesOf("Quail Run") }], [coming()])[0]?.projectId).toBe("B");
	});

	// Each as its operator and the EIA file it: the request, the plant, and who reports it.
	const entergy = { utility: "ENTERGY LOUISIANA, LLC", isLate: true };
	it.each<[string, number, string, Partial<LinkProject>, Partial<LinkPlant>]>([
		[
			...(["MISO-J1246", 67005, "Magnolia Power"] as const),
			{
				...entergy,
				region: "MISO",
				state: "LA",
				counties: ["Iberville"],
				families: ["gas or oil"],
				capacityMw: 725.2,
				queueYear: 2019,
				plannedYear: 2025,
			},
			{
				region: "MISO",
				county: "Iberville",
				gridOwner: "Entergy Louisiana LLC",
				units: [{ ...unit("gas or oil", 678.7, 2025), summerMw: 722.9 }],
			},
		],
		[
			...(["MISO-J1629", 65964, "Ursa Solar, LLC"] as const),
			{
				region: "MISO",
				state: "WI",
				counties: ["Columbia"],
				capacityMw: 200,
				utility: "AMERICAN TRANSMISSION COMPANY",
				isLate: true,
				queueYear: 2020,
				plannedYear: 2027,
			},
			{ region: "MISO", county: "Columbia", gridOwner: "American Transmission Co", units: [unit("solar", 200, 2027)] },
		],
		[
			...(["MISO-J1198", 65401, "Newton Solar BESS LLC"] as const),
			{
				region: "MISO",
				state: "IL",
				counties: ["Jasper"],
				families: ["solar", "storage"],
				capacityMw: 51.8,
				utility: "AMEREN ILLINOIS",
				poiWords: ["newton"],
				isLate: true,
				queueYear: 2019,
				plannedYear: 2023,
			},
			{
				region: "MISO",
				county: "Jasper",
				gridOwner: "Ameren Illinois Company",
				units: [unit("solar", 51.8, 2026), unit("storage", 2, 2026)],
			},
		],
		[
			...(["MISO-J2314", 66132, "Trinity River Solar 1"] as const),
			{
				region: "MISO",
				state: "TX",
				counties: ["Liberty"],
				capacityMw: 150,
				utility: "ENTERGY TEXAS, INC.",
				isLate: true,
				queueYear: 2021,
				plannedYear: 2023,
			},
			{ region: "ERCOT", county: "Liberty", gridOwner: "Entergy Texas Inc.", units: [unit("solar", 150, 2028)] },
		],
		[
			...(["MISO-J1465", 68263, "Mondu Solar LLC"] as const),
			{
				...entergy,
				region: "MISO",
				state: "LA",
				counties: ["Pointe Coupee"],
				capacityMw: 150,
				queueYear: 2019,
				plannedYear: 2024,
			},
			{ region: null, county: null, around: ["Pointe Coupee", "West Baton Rouge"], units: [unit("solar", 150, 2026)] },
		],
		[
			...(["SPP-GEN-2023-204", 68273, "Naples Power Plant"] as const),
			{
				region: "SPP",
				state: "TX",
				counties: ["Morris"],
				families: ["gas or oil"],
				capacityMw: 914.6,
				utility: "AEP",
				isLate: true,
				queueYear: 2023,
				plannedYear: 2028,
			},
			{
				region: null,
				county: null,
				around: ["Morris", "Titus"],
				units: [unit("gas or oil", 450, 2028), unit("gas or oil", 450, 2028)],
			},
		],
		[
			...(["NYISO-0596", 62954, "Alle-Catt Wind Energy LLC"] as const),
			{
				region: "NYISO",
				state: "NY",
				counties: ["Cattaraugus"],
				names: namesOf("Alle Catt II Wind"),
				shellNames: namesOf("Alle-Catt Wind Energy LLC"),
				families: ["wind"],
				capacityMw: 339.1,
				queueYear: 2017,
				plannedYear: 2026,
			},
			{ region: "NYISO", county: "Allegany", units: [unit("wind", 340, 2026)] },
		],
		[
			...(["NYISO-0737", 68443, "Empire Wind 1"] as const),
			{
				region: "NYISO",
				state: "NY",
				counties: ["Kings"],
				names: namesOf("Empire Wind 1"),
				families: ["offshore wind"],
				capacityMw: 816,
				queueYear: 2018,
				plannedYear: 2026,
			},
			{
				region: null,
				county: null,
				around: ["Nassau"],
				units: familiesOf("Wind Turbine").map((family) => unit(family, 810, 2027)),
			},
		],
		[
			...(["ISO-NE-624", 63093, "Vineyard Wind 1"] as const),
			{
				region: "ISO-NE",
				state: "MA",
				counties: [],
				names: namesOf("Vineyard Offshore Wind"),
				families: ["offshore wind"],
				capacityMw: 800,
				isBuilt: true,
				queueYear: 2016,
				plannedYear: 2026,
			},
			{ region: "ISO-NE", county: null, units: [unit("offshore wind", 800, 2026)] },
		],
		[
			...(["PJM-AF1-233", 64658, "AEUG Fleming Solar, LLC"] as const),
			{
				region: "PJM",
				state: "KY",
				counties: ["Fleming"],
				names: namesOf("Fleming Solar"),
				shellNames: namesOf("AEUG Fleming Solar, LLC"),
				capacityMw: 188.5,
				queueYear: 2019,
				plannedYear: 2029,
			},
			{ region: "PJM", county: "Fleming", units: [unit("solar", 188.5, 2027)] },
		],
		[
			...(["PJM-AF1-223", 66960, "Blackford Solar"] as const),
			{
				region: "PJM",
				state: "IN",
				counties: ["Jay"],
				names: namesOf("Blackford Solar Energy Project"),
				capacityMw: 150,
				queueYear: 2019,
				plannedYear: 2026,
			},
			{ region: "PJM", county: "Blackford", beside: ["Blackford", "Jay"], units: [unit("solar", 150, 2026)] },
		],
	])("%s is plant %i of the EIA, %s", (id, plantId, called, filed, there) => {
		const request = project({ ...{ id, isBuilt: false, operationYear: null, names: [] }, ...filed });
		const other = { ...plant({ state: request.state, called, ...there }), plantId };
		expect(linkAll([request], [other])).toMatchObject([{ projectId: id, plantId, kind: "direct" }]);
	});

	it("match an operating plant by the same figures if the agreement was signed before operation", () => {
		// Crossett Solar of MISO's J680, beside Prairie Mist Solar of 109.2 MW in the same county.
		const running = (called: string, capacityMw: number, year = 2024) =>
			plant({ called, units: [unit("solar", capacityMw, year, false)] });
		const crossett = { ...running("Crossett Solar", 100), plantId: 67915 };
		const late = studied({ id: "J680", names: [], isBuilt: true, isLate: true, queueYear: 2016, plannedYear: 2021 });
		const found = linkPlant(late, [running("Prairie Mist Solar", 109.2), crossett]);
		expect(found).toMatchObject({ plantId: 67915, method: "county_capacity_year", confidence: 0.9, runsSince: 2024 });
		expect(linkPlant({ ...late, plannedYear: null }, [crossett])?.confidence).toBe(0.9);
		expect(linkPlant({ ...late, plannedYear: 2028 }, [crossett])).toBeNull();
		expect(linkPlant(late, [running("Prairie Mist Solar", 101), crossett])).toBeNull();
		expect(linkPlant({ ...late, isBuilt: false, isLate: false }, [crossett])).toBeNull();
		// Searcy Solar was not MISO's J2133, made the year before.
		for (const queueYear of [2023, 2024]) expect(linkPlant({ ...late, queueYear }, [crossett])).toBeNull();
		const links = [found as Link];
		const other = studied({ id: "J3120", names: [], isLate: true, queueYear: 2024 });
		const left = (...others: LinkProject[]) => withoutRivals(links, [late, ...others], new Map());
		expect(left(other)).toEqual(links);
		expect(left({ ...other, isLate: false, queueYear: 2020 })).toEqual(links);
		expect(left({ ...other, queueYear: 2020 })).toEqual([]);
		const { runsSince: _, ...planned } = found as Link;
		expect(withoutRivals([...links, { ...planned, projectId: "J3120" }], [late, other], new Map())).toEqual(links);
	});

	it.each<[string, string, string, number, number, number, number]>([
		["MISO-J1063", "Hardy Hills Solar Energy LLC", "Clinton", 195, 2018, 2022, 2024],
		["MISO-J1155", "Driver Solar", "Mississippi", 150, 2018, 2022, 2024],
		["MISO-J1154", "Crawfish River", "Jefferson", 75, 2018, 2023, 2023],
		["MISO-J919", "Newport Solar Project", "Jackson", 180, 2017, 2022, 2023],
		["MISO-J680", "Crossett Solar", "Ashley", 100, 2016, 2021, 2024],
	])(
		"%s, under construction by its operator's list, is %s of the EIA",
		(id, called, county, mw, queueYear, plannedYear, year) => {
			const there = { region: "MISO", state: "AR", county };
			const running = plant({ ...there, called, units: [unit("solar", mw, year, false)] });
			const filed = { region: "MISO", state: "AR", counties: [county], names: [], isLate: true, capacityMw: mw };
			const found = linkPlant(project({ id, ...filed, operationYear: null, queueYear, plannedYear }), [running]);
			expect(found?.confidence).toBeGreaterThanOrEqual(0.9);
			expect(found?.runsSince).toBe(year);
		},
	);

	it("of the same name match an operating plant if the agreement is signed", () => {
		const running = plant({ units: [unit("solar", 160, 2024, false)] });
		expect(linkPlant(studied({ isLate: true }), [running])).toMatchObject({ method: "name", confidence: 0.7 });
		expect(linkPlant(studied(), [running])).toBeNull();
	});

	it("of a similar name or place match if the plant is still planned, or the years or the company agree", () => {
		const running = (change: Partial<LinkPlant> & { called?: string }) =>
			plant({ units: [unit("solar", 100, 2012, false)], ...change });
		const alike = { called: "RE Quail Run West, LLC" };
		const elsewhere = { county: "Bexar" };
		const open = { queueYear: 2006, plannedYear: 2027 };
		for (const other of [alike, elsewhere]) {
			expect(linkPlant(studied(open), [running(other)])).toBeNull();
			expect(linkPlant(studied({ ...open, isLate: true }), [running(other)])).toBeNull();
			expect(linkPlant(studied({ ...open, plannedYear: 2014 }), [running(other)])).not.toBeNull();
			expect(
				linkPlant(studied({ ...open, companies: ["heron"] }), [running({ ...other, companies: ["heron"] })]),
			).not.toBeNull();
			expect(linkPlant(studied(open), [coming(other)])).not.toBeNull();
		}
		// The same name in the same county, of the same size: the list lags behind, or the plant is renewed.
		expect(linkPlant(studied(open), [running({})])).not.toBeNull();
	});
});

describe("a request whose list misspells its name (ISO-NE-781)", () => {
	const revolution = { region: "ISO-NE", state: "RI", called: "Revolution Wind", county: "Washington" };
	const requestNamed = (name: string, change: Partial<LinkProject> = {}) => {
		const site = { region: "ISO-NE", state: "RI", counties: ["Washington"], families: ["offshore wind" as const] };
		return studied({ ...site, names: namesOf(name), capacityMw: 704, queueYear: 2018, plannedYear: 2026, ...change });
	};
	const turbines = plant({ ...revolution, units: [unit("offshore wind", 715, 2026)] });

	it("is linked to the plant whose name lacks, adds, changes or swaps one letter, if all else agrees", () => {
		for (const name of ["Revoultion Offshore wind", "Revolutin Wind", "Revollution Wind", "Revolutian Wind"])
			expect([name, linkPlant(requestNamed(name), [turbines])?.confidence]).toEqual([name, 0.88]);
		expect(linkPlant(requestNamed("Revolluution Wind"), [turbines])).toBeNull();
		expect(linkPlant(requestNamed("Revoultion Offshore wind", { counties: [] }), [turbines])).toMatchObject({
			...{ plantId: 60001, method: "name" },
			evidence: expect.stringContaining("nearly the same name (Revolution Wind)"),
		});
	});

	it("is not linked if the capacity, the year or the place differs", () => {
		for (const other of [{ capacityMw: 600 }, { plannedYear: 2029 }, { counties: ["Providence"] }])
			expect(linkPlant(requestNamed("Revoultion Wind", other), [turbines])).toBeNull();
	});
});

it("a request for a complex is linked to the largest of its plants if each has at most half of its MW (CAISO-1402)", () => {
	const phase = (plantId: number, called: string, mw: number, change: Partial<LinkPlant> = {}) =>
		plant({
			plantId,
			called,
			region: null,
			state: "AZ",
			county: "La Paz",
			units: [unit("solar", mw, 2026)],
			...change,
		});
	const site = { region: "CAISO", state: "AZ", counties: ["La Paz"], names: namesOf("ATLAS COMPLEX") };
	const atlas = studied({ ...site, families: ["solar", "storage"], capacityMw: 3200, queueYear: 2017, isLate: true });
	const phases = [
		phase(69054, "ATLAS II", 100),
		phase(69055, "ATLAS SOLAR IV", 300),
		phase(69198, "ATLAS Solar X, LLC", 225),
	];
	expect(linkPlant(atlas, phases)).toMatchObject({
		...{ plantId: 69055, kind: "part", method: "name", confidence: 0.7 },
		evidence:
			"the largest (ATLAS SOLAR IV) of 3 plants of its name in La Paz, AZ (ATLAS Solar X, LLC, ATLAS II); 625 of 3200 MW",
	});
	expect(linkPlant(atlas, phases.slice(1))).toBeNull();
	expect(linkPlant(studied({ ...site, capacityMw: 500 }), phases)).toBeNull();
	expect(linkPlant(studied({ ...site, names: namesOf("Atlas Solar III"), capacityMw: 3200 }), phases)).toBeNull();
	const elsewhere = phases.map((one) => ({ ...one, county: "Yuma" }));
	expect(linkPlant(atlas, elsewhere)).toBeNull();
});

it("a link by figures alone is dropped if another request matches the plant", () => {
	const link = (projectId: string, plantId: number, method: Link["method"]): Link => ({
		...{ projectId, plantId, method, kind: "direct", confidence: 0.6, evidence: "" },
	});
	const requests = ["A", "B", "C", "D", "E", "F"].map((id) => project({ id }));
	const links = [
		link("A", 1, "county_capacity_year"),
		link("B", 1, "county_capacity_year"),
		link("C", 2, "name"),
		link("D", 2, "county_capacity_year"),
		link("E", 3, "county_capacity_year"),
		link("F", 2, "name_close"),
	];
	expect(withoutRivals(links, requests, new Map()).map(({ projectId }) => projectId)).toEqual(["C", "E", "F"]);
});

it("technologies of the EIA and of the queues are compared by family", () => {
	expect(familiesOf("Solar + Storage")).toEqual(["solar", "storage"]);
	expect(familiesOf("Solar Photovoltaic")).toEqual(["solar"]);
	expect(familiesOf("Natural Gas with Compressed Air Storage")).toEqual(["gas or oil"]);
	expect(familiesOf("Hydroelectric Pumped Storage")).toEqual(["pumped storage"]);
	expect(familiesOf("Onshore Wind Turbine")).toEqual(["wind"]);
	expect(familiesOf("Batteries")).toEqual(["storage"]);
	expect(familiesOf("Hydrogen")).toEqual([]);
	expect(familiesOf(null)).toEqual([]);
});

it("a name of only common words is ignored, and a very long one is read quickly", () => {
	expect(namesOf("Solar Energy Center, LLC")).toEqual([]);
	expect(namesOf("(".repeat(1_000_000))).toEqual([]);
	expect(compareNames(namesOf("Solar"), namesOf("Quail Run"), placeWords("Travis", "TX"))).toBe("unknown");
});
