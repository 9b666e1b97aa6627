/** The tracker of proposed data centers. */
import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { readProposals } from "./proposals.ts";

const file = (lines: string[]) => ({ name: "proposals.csv", bytes: Buffer.from(`${lines.join("\n")}\n`) });

describe("proposals", () => {
	const header =
		"id,name,type,phase,status,state,towns,counties,address,lat,lon,size_acres,capacity_mw,date,lastUpdated,yearOpened," +
		"companies,zoningAllowance,landSold,bringingOwnEnergy,approx,locationTbd,info,updatedAt,outcome_detail";
	interface Filed {
		id?: string;
		name?: string;
		phase?: string;
		mw?: string;
		info?: string;
		lat?: string;
		lon?: string;
		date?: string;
		companies?: string;
		approx?: string;
	}
	const row = (of: Filed) =>
		[
			...[
				of.id ?? "1",
				of.name ?? "Alpha",
				"Data Center",
				of.phase ?? "proposed",
				"",
				"Ohio",
				"Lima",
				"Allen County",
				"1 Rd",
			],
			...[of.lat ?? "40.77", of.lon ?? "-84.1", "12", of.mw ?? "300", of.date ?? "2026-3", "2026-4-15", "2024-7"],
			...[
				of.companies ?? "Acme; Bolt",
				"TRUE",
				"false",
				"unknown",
				of.approx ?? "False",
				"False",
				`"${of.info ?? ""}"`,
			],
			...["2026-05-01T07:36:35.454Z", ""],
		].join(",");
	const only = (of: Filed) => readProposals(file([header, row(of)])).rows[0];

	it("are read with a standard status, separate companies, and yes, no or unknown", () => {
		expect(only({})).toMatchObject({
			...{ id: "DCP-1", status: "proposed", status_std: "proposed", companies: ["Acme", "Bolt"], county: "Allen" },
			...{ zoning_allowed: true, land_sold: false, own_generation: null, announced: "2026-03", opening_year: 2024 },
			...{ updated_on: "2026-04-15", location_precision: "site", state: "OH" },
		});
		expect(only({ phase: "rejected" })?.status_std).toBe("denied");
		expect(only({ companies: "Undisclosed Developer" })?.companies).toEqual([]);
		expect(only({ date: "Early 2025" })?.announced).toBe("Early 2025");
		expect(only({ approx: "True" })?.location_precision).toBe("area");
	});

	it("are read in gigawatts only if the description states the same number in gigawatts", () => {
		expect(only({ mw: "1.2", info: "targeting 1.2 GW of power" })?.capacity_mw).toBe(1200);
		expect(only({ mw: "1.2", info: "part of a 2.4 GW plan" })?.capacity_mw).toBe(1.2);
		expect(only({ mw: "300", info: "beside a 300 GW dream" })?.capacity_mw).toBe(300);
	});

	it("have no location if the tracker states none, or one in another state", () => {
		expect(only({ lat: "0", lon: "0" })).toMatchObject({ lat: null, lon: null, location_precision: null });
		expect(only({ lat: "34.0", lon: "-118.2" })?.location_precision).toBeNull();
	});

	it("that are repeated exactly are read once and reported", () => {
		const lines = [row({ name: "A" }), row({ name: "B" }), row({ id: "2" })];
		const once = readProposals(file([header, ...lines]));
		const twice = readProposals(file([header, ...lines, ...lines]));
		expect(twice.rows).toEqual(once.rows);
		expect(twice.rowsIn).toBe(6);
		expect(twice.dropped).toMatchObject([{ reason: "exact repeat of another row", count: 3 }]);
	});

	it("that share a number have different ids, the first one without a suffix", () => {
		const { rows } = readProposals(file([header, row({ name: "A" }), row({ name: "B" }), row({ id: "2" })]));
		expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
		expect(rows.map(({ id }) => id)).toEqual(["DCP-1", expect.stringMatching(/^DCP-1-[0-9a-f]{4}$/), "DCP-2"]);
	});

	it("of a truncated file are refused", () => {
		const whole = `${header}\n${row({})}\n`;
		const bytes = Buffer.from(whole.slice(0, -6));
		expect(() => readProposals({ name: "proposals.csv", bytes })).toThrow(StructureError);
	});
});
