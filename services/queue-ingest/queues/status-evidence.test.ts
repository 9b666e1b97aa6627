import { describe, expect, it } from "vitest";
import type { ReportedPlant, ReportedUnit } from "./eia-evidence.ts";
import type { OpenRequest } from "./open-request.ts";
import { findEvidence } from "./status-evidence.ts";

const silent: OpenRequest = {
	status: null,
	statusStd: "Active",
	listed: "listed",
	name: "Kleen Energy",
	typeStd: "Gas",
	capacityMw: 620,
	...{ components: [], isAddition: false },
	stage: "late",
	plantState: "unknown",
	queueDate: "2001-11-21",
	cod: "2011-07-12",
	sharesNumber: false,
};
const request = { name: "Kleen Energy", typeStd: "Gas", queueDate: "2001-11-21", operationDate: "2011-07-12" };
const lbnl = (...requests: (typeof request)[]) => ({
	...{ outcome: null, plant: null },
	lbnl: { day: "2024-01-09", requests },
});
const unit: ReportedUnit = {
	...{ technology: "Natural Gas Fired Combined Cycle", capacityMw: 620, state: "running", status: "OP" },
	...{ begunBy: null, year: 2011, source: "eia_860", asOf: "2020-12-31" },
};
const plant: ReportedPlant = {
	...{ plantId: 56798, kind: "direct", name: "Kleen Energy Systems Project", method: "name", confidence: 0.85 },
	units: [unit],
};
const eia = (changes: Partial<ReportedPlant> = {}) => ({ outcome: null, lbnl: null, plant: { ...plant, ...changes } });

describe("a request whose operator states no status", () => {
	it("operates if Berkeley Lab's row with its number and date is operational", () => {
		expect(findEvidence(silent, lbnl(request))).toEqual({
			...{ status: "Operational", statusBasis: "other_source", on: null, plantState: "operating", basis: "lbnl" },
			confidence: 0.4,
			statement: "LBNL Queued Up, edition of 2024-01-09: operational since 2011-07-12",
		});
	});

	it("does not follow a row with other dates, or with a number that several requests have", () => {
		expect(findEvidence(silent, lbnl({ ...request, queueDate: "2003-01-01" }))).toBeNull();
		expect(findEvidence({ ...silent, sharesNumber: true }, lbnl(request))).toBeNull();
		const undated = { ...silent, queueDate: null };
		expect(findEvidence(undated, lbnl({ ...request, name: "Kleen Energy Unit 2" }))).toBeNull();
		expect(findEvidence(undated, lbnl({ ...request, name: "KLEEN ENERGY" }))).not.toBeNull();
	});

	it("does not operate while its own date or the date of the row is in the future", () => {
		expect(findEvidence({ ...silent, cod: "2028-06-01" }, lbnl(request))).toBeNull();
		expect(findEvidence(silent, lbnl({ ...request, operationDate: "2030-08-30" }))).toBeNull();
	});

	it("operates if the plant of its name runs with all units of the technology", () => {
		expect(findEvidence(silent, eia())).toEqual({
			...{ status: "Operational", statusBasis: "other_source", on: null, plantState: "operating", basis: "eia_860" },
			confidence: 0.85,
			statement:
				"EIA-860 of 2020: plant 56798 Kleen Energy Systems Project operates since 2011 with 620 MW, the same by its name",
		});
		const proposed = { ...unit, state: "planned", status: "P", year: null } as const;
		expect(findEvidence(silent, eia({ units: [unit, proposed] }))?.status ?? null).toBeNull();
		expect(findEvidence(silent, eia({ units: [{ ...unit, state: "other", status: "OS" }] }))).toBeNull();
		expect(findEvidence(silent, eia({ units: [{ ...unit, technology: "Solar Photovoltaic" }] }))).toBeNull();
		expect(findEvidence(silent, eia({ units: [unit, { ...unit, year: 1999 }] }))).toBeNull();
		expect(findEvidence({ ...silent, queueDate: "2011-01-05" }, eia())).toBeNull();
		// Ebony Energy Storage Repowering of ERCOT adds 5 MW to a plant of 208.
		expect(findEvidence({ ...silent, capacityMw: 5 }, eia())).toBeNull();
		expect(findEvidence({ ...silent, queueDate: null }, eia())).toBeNull();
	});

	it("does not follow a link by figures alone or an uncertain link", () => {
		expect(findEvidence(silent, eia({ method: "county_capacity_year" }))).toBeNull();
		expect(findEvidence(silent, eia({ confidence: 0.75 }))).toBeNull();
	});

	it("names both sources if both state it", () => {
		const both = findEvidence(silent, { ...lbnl(request), plant });
		expect(both?.confidence).toBe(0.85);
		expect(both?.statement).toMatch(/^LBNL .+; EIA-860 /);
	});
});

it("neither Berkeley Lab nor a name alone overrules a status in the newest list", () => {
	const reports = { ...lbnl(request), plant };
	expect(findEvidence({ ...silent, status: "Under Study" }, reports)).toBeNull();
	for (const statusStd of ["Withdrawn", "Suspended", "Operational"] as const)
		expect(findEvidence({ ...silent, statusStd }, reports)).toBeNull();
	for (const listed of ["missing", "disappeared"] as const)
		expect(findEvidence({ ...silent, status: "Under Study", listed }, reports)).not.toBeNull();
});

describe("a request that its operator's newest list lacks", () => {
	const gone: OpenRequest = {
		...silent,
		...{
			status: "Active",
			listed: "missing",
			name: "Sandy Hollow",
			typeStd: "Storage",
		},
	};
	const nothing = { outcome: null, lbnl: null, plant: null };

	it("follows its operator's outcome sheet rather than any other publisher", () => {
		const outcome = { status: "Withdrawn", on: "2025-03-12", report: "2025-03-31" } as const;
		expect(findEvidence(gone, { ...lbnl(request), outcome })).toEqual({
			...{ status: "Withdrawn", statusBasis: "outcome_sheet", on: "2025-03-12", confidence: 0.95 },
			...{ plantState: "none", basis: "operator_update_sheet" },
			statement: "The operator's report of 2025-03-31: cancelled on 2025-03-12",
		});
		const built = { ...outcome, status: "Operational", on: null } as const;
		expect(findEvidence({ ...gone, statusStd: "Suspended" }, { ...nothing, outcome: built })).toMatchObject({
			...{ status: "Operational", plantState: "operating" },
			statement: "The operator's report of 2025-03-31: approved for commercial operation",
		});
		expect(findEvidence({ ...gone, listed: "listed" }, { ...nothing, outcome })).toBeNull();
	});

	it("keeps its filed status without a report", () => {
		expect(findEvidence(gone, nothing)).toBeNull();
		expect(findEvidence({ ...gone, statusStd: "Withdrawn" }, nothing)).toBeNull();
	});
});

describe("a request that its operator lists as active", () => {
	// Hardy Hills of MISO: under construction for August 2022 by the list of June 2026.
	const listed: OpenRequest = {
		...silent,
		...{ status: "Done", name: "New London - Frankfort 230kV Line Tap", typeStd: "Solar", capacityMw: 195 },
		...{ stage: "construction", queueDate: "2018-03-12", cod: "2022-08-01" },
	};
	const hardyHills: ReportedPlant = {
		...{
			plantId: 67852,
			kind: "direct",
			name: "Hardy Hills Solar Energy LLC",
			method: "county_capacity_year",
			confidence: 0.9,
		},
		units: [{ ...unit, technology: "Solar Photovoltaic", capacityMw: 195, year: 2024, asOf: "2024-12-31" }],
	};
	const unitOf = (changes: Partial<ReportedUnit>) => ({ ...(hardyHills.units[0] ?? unit), ...changes });
	const found = (plantChanges: Partial<ReportedPlant> = {}, changes: Partial<OpenRequest> = {}) =>
		findEvidence({ ...listed, ...changes }, { outcome: null, lbnl: null, plant: { ...hardyHills, ...plantChanges } });

	it("operates if a certainly linked plant of its technology and capacity began to operate after it", () => {
		expect(found()).toMatchObject({ status: "Operational", plantState: "operating", basis: "eia_860" });
		expect(found()?.statement).toBe(
			"EIA-860 of 2024: plant 67852 Hardy Hills Solar Energy LLC operates since 2024 with 195 MW, the same by county, technology and capacity",
		);
		expect(found({ units: [unitOf({ source: "eia_epm", asOf: "2025-01-31" })] })).toMatchObject({
			basis: "eia_epm",
			statement: expect.stringMatching(/^EIA Electric Power Monthly, data to 2025-01: /),
		});
	});

	it("is open for the battery of a plant that has operated without it since 2015 (CAISO-653B)", () => {
		const [solar, battery] = [
			{ type_std: "Solar", capacity_mw: 20 },
			{ type_std: "Storage", capacity_mw: 20 },
		];
		const request: Partial<OpenRequest> = {
			...{ status: "ACTIVE", name: "PUMPJACK SOLAR I", typeStd: "Solar + Storage", capacityMw: 20 },
			...{ components: [solar, battery], stage: "late", queueDate: "2010-09-29", cod: "2027-06-01" },
		};
		const pumpjack = {
			...{ plantId: 59322, name: "Pumpjack Solar I", method: "name" },
			units: [unitOf({ capacityMw: 20, year: 2015 })],
		};
		expect(found(pumpjack, request)).toEqual({
			...{ status: null, statusBasis: "other_source", on: null, plantState: "none", basis: "eia_860" },
			...{ confidence: 0.9, adds: { type: "Storage", mw: 20 } },
			statement:
				"EIA-860 of 2024: plant 59322 Pumpjack Solar I runs without the Storage of the request, the same by its name",
		});
		// Kettleman: another plant of the name, or part of its solar, is running.
		expect(found({ ...pumpjack, units: [unitOf({ capacityMw: 1, year: 2014 })] }, request)).toBeNull();
		expect(found(pumpjack, { ...request, isAddition: true })).toBeNull();
		const both = [...pumpjack.units, unitOf({ technology: "Batteries", capacityMw: 20, year: 2024 })];
		expect(found({ ...pumpjack, units: both }, { ...request, cod: "2024-06-01" })).toMatchObject({
			status: "Operational",
		});
	});

	it("is open for its battery if filed with 127.6 MW of Tule Wind's 143 (CAISO-32), but not if only a battery operates", () => {
		const parts = (...mw: number[]) =>
			["Wind", "Storage"].map((type_std, at) => ({ type_std, capacity_mw: mw[at] ?? null }));
		const request: Partial<OpenRequest> = {
			...{
				status: "ACTIVE",
				name: "TULE WIND",
				typeStd: "Wind + Storage",
				capacityMw: 193.8,
				components: parts(127.6, 131.6),
			},
			...{ stage: "late", plantState: "none", queueDate: "2004-05-24", cod: "2030-10-31" },
		};
		const wind = unitOf({ technology: "Onshore Wind Turbine", capacityMw: 143, year: 2017 });
		const tule = { plantId: 57913, name: "Tule Wind LLC", method: "name", confidence: 0.7, units: [wind] };
		expect(found(tule, request)).toMatchObject({ plantState: "none", adds: { type: "Storage", mw: 131.6 } });
		expect(found(tule, { ...request, components: parts(60, 131.6) })?.adds).toBeUndefined();
		const battery = { ...tule, units: [unitOf({ technology: "Batteries", capacityMw: 131.6 })] };
		expect(found(battery, request)).toBeNull();
	});

	it("is open for its batteries if Berkeley Lab lists its wind as operating since 2011 (CAISO-96)", () => {
		const parts = ["Wind", "Storage", "Storage"].map((type_std, at) => ({
			type_std,
			capacity_mw: at === 0 ? 600 : 150,
		}));
		const west: OpenRequest = {
			...{
				...listed,
				status: "ACTIVE",
				name: "CPC WEST",
				typeStd: "Wind + Storage",
				capacityMw: 600,
				components: parts,
			},
			...{ stage: "late", queueDate: "2006-03-01", cod: "2026-07-05" },
		};
		const known = { name: "CPC WEST", typeStd: "Wind", queueDate: "2006-03-01", operationDate: "2011-11-29" };
		expect(findEvidence(west, lbnl(known))).toMatchObject({
			...{ status: null, plantState: "none", basis: "lbnl", adds: { type: "Storage", mw: 300 } },
			statement: "LBNL Queued Up, edition of 2024-01-09: operational since 2011-11-29, without the Storage",
		});
		expect(findEvidence(west, lbnl({ ...known, typeStd: "Wind + Storage" }))).toBeNull();
		expect(findEvidence({ ...west, isAddition: true }, lbnl(known))).toBeNull();
	});

	it("has no addition for a part that is a separate request", () => {
		const parts = ["Solar", "Storage"].map((type_std) => ({ type_std, capacity_mw: 20 }));
		const request: Partial<OpenRequest> = {
			...{ status: "Active", name: "Pumpjack Solar", typeStd: "Solar", capacityMw: 20, components: parts },
			...{ plantState: "none", queueDate: "2016-09-29", cod: "2027-06-01" },
		};
		const pumpjack = {
			...{ plantId: 59322, name: "Pumpjack Solar", method: "name" },
			units: [unitOf({ capacityMw: 20, year: 2015 })],
		};
		expect(found(pumpjack, { ...request, typeStd: "Solar + Storage" })?.adds).toEqual({ type: "Storage", mw: 20 });
		expect(found(pumpjack, request)).toBeNull();
	});

	it("operates in part if less than its capacity operates", () => {
		// Oberon of CAISO, with 500 MW at its point of interconnection.
		const parts = ["Storage", "Solar"].map((type_std) => ({ type_std, capacity_mw: 518.4 }));
		const request: Partial<OpenRequest> = {
			...{ status: "ACTIVE", name: "OBERON", typeStd: "Solar + Storage", capacityMw: 500, components: parts },
			...{ stage: "late", queueDate: "2019-04-15", cod: "2026-04-15" },
		};
		const battery = unitOf({ technology: "Batteries", capacityMw: 125, year: 2023 });
		const oberon = {
			...{ plantId: 64863, name: "Oberon", method: "name", confidence: 0.7 },
			units: [unitOf({ capacityMw: 250, year: 2023 }), battery],
		};
		expect(found(oberon, request)).toMatchObject({
			...{ status: null, plantState: "partially_operating", operatingMw: 250, basis: "eia_860" },
			statement: "EIA-860 of 2024: plant 64863 Oberon operates with 250 of 500 MW, the same by its name",
		});
		expect(found({ ...oberon, units: [battery] }, request)).toBeNull();
		expect(found({ ...oberon, method: "developer" }, request)).toBeNull();
		expect(found(oberon, { ...request, plantState: "energized" })).toBeNull();
		expect(found(oberon, { ...request, queueDate: "2023-04-15" })).toBeNull();
		// Menifee Power Bank, planned for the end of 2025: 620 of its 680 MW ran in 2024.
		const menifee = { name: "MENIFEE POWER BANK", typeStd: "Storage", capacityMw: 680, components: [] };
		const bank = { ...oberon, confidence: 0.94, units: [unitOf({ technology: "Batteries", capacityMw: 620 })] };
		expect(found(bank, { ...request, ...menifee })?.operatingMw).toBe(620);
		expect(found(bank, { ...request, ...menifee, cod: "2024-10-01" })?.status).toBe("Operational");
	});

	it("operates if one of several units has its capacity", () => {
		const others = [unitOf({ capacityMw: 90, year: 2021 }), unitOf({ capacityMw: 60, year: 2021 })];
		expect(found({ units: [unitOf({}), ...others] })).not.toBeNull();
	});

	it("operates if its plant is energized, although its projected date is later", () => {
		// Priddy Wind of ERCOT, in operation since 2022, is projected for the end of 2025.
		const priddy = { typeStd: "Wind", capacityMw: 302.4, queueDate: "2015-01-14", cod: "2025-12-30" } as const;
		const wind = [unitOf({ technology: "Onshore Wind Turbine", capacityMw: 302.4, year: 2022 })];
		expect(found({ units: wind }, { ...priddy, plantState: "energized" })?.status).toBe("Operational");
		expect(found({ units: wind }, { ...priddy, plantState: "none" })).toBeNull();
		// Samson Solar 1, for which the EIA has another county.
		const samson = { ...priddy, name: "Samson Solar 1", plantState: "energized" } as const;
		expect(found({ method: "name", confidence: 0.75, units: wind }, samson)?.status).toBe("Operational");
		// Jackalope Solar: 150 of its 155.68 MW run, and no other unit is planned.
		const alike = { ...samson, capacityMw: 290 };
		expect(found({ method: "name", confidence: 0.75, units: wind }, alike)?.status).toBe("Operational");
		const another = unitOf({ technology: "Onshore Wind Turbine", capacityMw: 100, year: 2027, state: "planned" });
		expect(found({ method: "name", confidence: 0.75, units: [...wind, another] }, alike)).toBeNull();
		expect(found({ method: "name", confidence: 0.75, units: wind }, { ...samson, capacityMw: 250 })).toBeNull();
		expect(found({ method: "county_capacity_year", confidence: 0.6, units: wind }, samson)).toBeNull();
	});

	it("operates if its plant has exactly its capacity, although its date is later (CAISO-1175, LeConte, filed for 2032)", () => {
		const leconte = { typeStd: "Storage", capacityMw: 125, plantState: "none", cod: "2032-06-01" } as const;
		const battery = unitOf({ technology: "Batteries", capacityMw: 125, year: 2022 });
		expect(found({ method: "name", units: [battery] }, leconte)?.status).toBe("Operational");
		expect(found({ units: [battery] }, leconte)).toBeNull();
		expect(found({ method: "name", units: [{ ...battery, capacityMw: 118 }] }, leconte)?.operatingMw).toBe(118);
	});

	it.each<[string, Partial<ReportedPlant>, Partial<OpenRequest>]>([
		// Montezuma II of CAISO: wind of 2012, with a battery that is not built.
		["a part of it is of a technology that does not run", {}, { typeStd: "Solar + Storage" }],
		["the link is not sure", { confidence: 0.89 }, {}],
		["the capacity differs", { units: [unitOf({ capacityMw: 170 })] }, {}],
		["it ran before the request was made", { units: [unitOf({ year: 2018 })] }, {}],
		["it is of another technology", { units: [unitOf({ technology: "Batteries" })] }, {}],
		["it is retired", { units: [unitOf({ state: "other", status: "RE" })] }, {}],
		["the request is planned for a later year than the form is of", {}, { cod: "2026-09-13" }],
	])("keeps its filed status if %s", (_, change, other) => {
		expect(found(change, other)).toBeNull();
	});

	it("follows a plant that is still planned only if its own date has passed", () => {
		const planned = unitOf({ state: "planned", status: null, year: 2027, source: "eia_860m", asOf: "2026-04-01" });
		const still = { confidence: 0.62, units: [planned] };
		expect(found(still)).toMatchObject({ status: null, plantState: "under_construction", basis: "eia_860m" });
		expect(found(still)?.statement).toBe(
			"EIA-860M of 2026-04: plant 67852 Hardy Hills Solar Energy LLC is planned for 2027, and its operator lists it as under construction",
		);
		expect(found(still, { stage: "late" })).toMatchObject({ status: null, plantState: "none" });
		expect(found(still, { plantState: "under_construction" })).toBeNull();
		// NYISO's Empire Wind 1, with an agreement: its units were under construction by an earlier list.
		const begun = { ...planned, status: "U", begunBy: "2024-11-30" };
		const empire = { method: "name", confidence: 0.86, units: [begun] };
		expect(found(empire, { stage: "late", plantState: "none" })).toMatchObject({
			...{ status: null, plantState: "under_construction" },
			statement: expect.stringContaining("is planned for 2027, under construction by 2024-11-30"),
			reported: {
				plant_report: "under_construction",
				plant_reported_on: "2026-04-01",
				construction_begun_by: "2024-11-30",
			},
		});
		for (const other of [
			{ ...empire, units: [planned] },
			{ ...empire, confidence: 0.84 },
			{ ...empire, method: "name_close" },
		])
			expect(found(other, { stage: "late", plantState: "none" })).toBeNull();
	});

	it("for several plants has an unknown state while the EIA has one of them under construction (CAISO-1402, Atlas Complex)", () => {
		const open = { listed: "listed", status: "ACTIVE", statusStd: "Active", plantState: "none" } as const;
		const atlas = { ...silent, ...open, typeStd: "Solar + Storage", capacityMw: 3200, cod: "2027-10-31" };
		const eight = { technology: "Batteries", capacityMw: 382, state: "planned", status: "V", year: 2026 } as const;
		const known = { ...unit, ...eight, source: "eia_860m", asOf: "2026-08-01" } as const;
		const part = { plantId: 68323, kind: "part", name: "Atlas VIII", method: "name", confidence: 0.7 } as const;
		expect(findEvidence(atlas, eia({ ...part, units: [known] }))).toMatchObject({
			...{ status: null, plantState: "unknown", basis: "eia_860m" },
			statement:
				"EIA-860M of 2026-08: plant 68323 Atlas VIII, one of several plants of the request, is under construction",
		});
		expect(findEvidence(atlas, eia({ ...part, units: [{ ...known, status: "P" }] }))).toBeNull();
		const running = { ...known, state: "running", year: 2026, capacityMw: 3200 } as const;
		expect(findEvidence(atlas, eia({ ...part, confidence: 0.95, units: [running] }))?.status).toBeNull();
	});

	it("takes its construction date from the EIA's first report if its operator lists it under construction", () => {
		// ISO-NE-624, Vineyard Offshore Wind; the newest list of planned units lacks plant 63093.
		const listed = {
			listed: "listed",
			status: "Under Construction",
			statusStd: "Active",
			stage: "construction",
		} as const;
		const vineyard = {
			...silent,
			...listed,
			plantState: "under_construction",
			typeStd: "Offshore Wind",
			capacityMw: 800,
		} as const;
		const complete = { technology: "Offshore Wind Turbine", capacityMw: 800, state: "other", status: "TS" } as const;
		const known = {
			...unit,
			...complete,
			begunBy: "2023-10-31",
			year: 2026,
			source: "eia_860m",
			asOf: "2026-02-01",
		} as const;
		const plant = { plantId: 63093, name: "Vineyard Wind 1", confidence: 0.84, units: [known] };
		expect(findEvidence(vineyard, eia(plant))).toMatchObject({
			...{ status: null, plantState: "under_construction", basis: "eia_860m" },
			statement: "EIA-860M of 2026-02: plant 63093 Vineyard Wind 1, under construction by 2023-10-31",
		});
		expect(findEvidence({ ...vineyard, plantState: "none" }, eia(plant))).toBeNull();
		// A retired unit of the size, which the operator's plant replaces.
		const retired = { ...known, status: "RE", begunBy: null, year: 2001 } as const;
		const replaced = { ...plant, units: [retired, { ...known, capacityMw: 30 }] };
		expect(findEvidence(vineyard, eia(replaced))).toBeNull();
		expect(findEvidence(vineyard, eia({ ...plant, units: [{ ...known, begunBy: null }] }))).toBeNull();
	});

	it("has a cancelled or postponed plant if the EIA lists a plant of its name and size so, unless its operator lists it under construction", () => {
		// ERCOT-24INR0167, OCI SunRoper: plant 65893, 260 MW.
		const listed = {
			listed: "listed",
			status: "Active",
			statusStd: "Active",
			plantState: "none",
			cod: "2027-06-01",
		} as const;
		const sunRoper = { ...silent, ...listed, typeStd: "Solar", capacityMw: 265.1 };
		const cancelled = { technology: "Solar Photovoltaic", capacityMw: 260, state: "cancelled", status: "P" } as const;
		const known = { ...unit, ...cancelled, source: "eia_860m", asOf: "2026-08-01", year: null } as const;
		const plant = { plantId: 65893, name: "OCI SunRoper", confidence: 0.94, units: [known] };
		expect(findEvidence(sunRoper, eia(plant))).toMatchObject({
			...{ status: null, plantState: "none", basis: "eia_860m" },
			statement: "EIA-860M of 2026-08: plant 65893 OCI SunRoper is cancelled or postponed",
		});
		for (const [changed, request] of [
			[{ units: [known, { ...known, state: "planned" as const }] }, sunRoper],
			[{ confidence: 0.84 }, sunRoper],
			[{}, { ...sunRoper, plantState: "under_construction" as const }],
			[{}, { ...sunRoper, capacityMw: 400 }],
		] as const)
			expect(findEvidence(request, eia({ ...plant, ...changed }))?.statement ?? "").not.toContain("cancelled");
	});
});
