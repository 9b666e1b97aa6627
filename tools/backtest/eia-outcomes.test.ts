import { expect, test } from "vitest";
import { type UnitRow, unstatedUnit } from "../../services/queue-ingest/plants/sources/unit.ts";
import { eiaOutcomes } from "./eia-outcomes.ts";
import { type EiaPlant, leftOrPlanned } from "./eia-plants.ts";
import type { Listed } from "./lists.ts";

const unit = (generator_id: string, status: string | null, year: number, month: number | null): UnitRow => ({
	...{ ...unstatedUnit, plant_id: 70001, generator_id, status, year, month, state: "IN", capacity_mw: 199 },
	technology: "Solar Photovoltaic",
});

test("a unit under construction operates if the next list neither plans nor cancels it, in a month between the two", () => {
	const lists = [
		[unit("A", "V", 2025, 6), unit("B", "U", 2024, 10), unit("C", "P", 2025, 6), unit("D", "V", 2025, 6)],
		[unit("E", "V", 2026, 5), unit("F", "T", 2027, 1)],
		[unit("E", null, 2026, null), unit("F", null, 2027, null)],
		[unit("F", "U", 2027, 1)],
	];
	const began = leftOrPlanned(lists, new Set(["70001 D"])).map((each) => [each.began, each.plannedYear]);
	expect(began).toEqual([
		["2025-06-01", 2025],
		["2024-11-01", 2024],
		["2026-05-01", 2026],
		[null, 2027],
	]);
});

const plant = (
	plantId: number,
	county: string,
	mw: number,
	began: string | null,
	reported: string | null = null,
): EiaPlant => ({
	described: {
		...{ plantId, called: ["Speedway Solar"], state: "IN", county, lat: null, lon: null },
		...{ balancingAuthority: "MISO", gridOwner: null, companies: [] },
	},
	units: [{ technology: "Solar Photovoltaic", capacityMw: mw, summerMw: null, began, plannedYear: 2025, reported }],
});
const request = (key: string, county: string, mw: number, changed: object = {}) =>
	({
		...{ key, state: "IN", counties: [county], name: key, poi: key, typeStd: "Solar", capacityMw: mw },
		...{
			constructionStage: "construction",
			queueDate: "2017-06-16",
			cod: "2024-05-01",
			developer: null,
			utility: null,
		},
		...{ came: false, ...changed },
	}) as unknown as Listed & { came: boolean };

test("a request's outcome is the plant linked to it, or one of its county, technology and capacity", () => {
	const plants = [
		plant(1, "Shelby", 199, "2025-12-01"),
		plant(2, "Clay", 184, "2024-11-01"),
		plant(3, "Pike", 150, "2024-03-01"),
	];
	const requests = [
		request("J805", "Shelby", 199),
		request("J806", "Shelby", 120),
		request("J813", "Clay", 199),
		request("J814", "Clay", 199, { constructionStage: "early" }),
		request("J1027", "Pike", 150),
	];
	const found = eiaOutcomes(requests, "MISO", plants, "2024-07-01");
	expect([...found].map(([key, { plantId, kind, began }]) => [key, plantId, kind, began])).toEqual([
		["J805", 1, "direct", "2025-12-01"],
		["J813", 2, "alike", "2024-11-01"],
	]);
	// Another request of the county, by its operator's list, explains the plant.
	const outcomes = eiaOutcomes(
		[...requests, request("J812", "Clay", 184, { came: true })],
		"MISO",
		plants,
		"2024-07-01",
	);
	expect([outcomes.get("J813"), outcomes.get("J812")?.plantId]).toEqual([undefined, 2]);
});

test("a plant of the request's name that a list had under construction is reported, whether it operates or not", () => {
	const plants = [plant(1, "Shelby", 199, null, "2024-11")];
	const named = request("Speedway Solar", "Shelby", 199, { poi: "Gwynneville 345 kV" });
	const reportedOn = (day: string) => eiaOutcomes([named], "MISO", plants, day).get("Speedway Solar");
	expect(reportedOn("2025-01-23")).toMatchObject({ began: null, isReported: true });
	expect(reportedOn("2024-07-01")).toBeUndefined();
});
