import { describe, expect, it } from "vitest";
import { accountedRows, describeRealFiles } from "../../../../../test/support/real-files.ts";
import type { Source } from "../../../sources/source.ts";
import { operators } from "../index.ts";

const sourceOf = (region: "DUKE" | "SOCO" | "TVA"): Source => {
	const [source] = operators[region].lists;
	if (source === undefined) throw new Error(`${region} has no list`);
	return source;
};
const header = "id,name,capacity,fuel,submitted_date,service_date,county,state,transmission_owner,iso_utility,join_key";
const file = (...rows: string[]) => ({
	name: "list.csv",
	bytes: Buffer.from([header, ...rows].map((row) => `${row}\n`).join("")),
});
const duke = (id: string, name: string) =>
	`${id},${name},74.9,Solar,2024-09-27 00:00:00,,Greenwood,SC,DEC,DEC,greenwood_sc`;

describeRealFiles("non_iso", (read) => {
	it.each([
		["DUKE", "duke_active_projects.csv", 103, 3],
		["SOCO", "soco_active_projects.csv", 201, 0],
		["TVA", "tva_active_projects.csv", 111, 0],
	] as const)(
		"list of %s: %s has %i requests of kind utility, without status and developer",
		async (region, name, rows, sizeless) => {
			const source = sourceOf(region);
			const real = read(name);
			expect(source.recognises({ ...real, name: "download.bin" })).toBe(true);
			const parsed = await source.parse(real);
			expect(parsed).toMatchObject({ rowsIn: rows, dropped: [], unknownColumns: [], unknownValues: [] });
			expect(accountedRows(parsed)).toBe(rows);
			const { requests } = parsed;
			expect(new Set(requests.map(({ kind }) => kind))).toEqual(new Set(["utility"]));
			expect(requests.filter(({ status, developer, name: named }) => (status ?? developer ?? named) !== null)).toEqual(
				[],
			);
			expect(requests.filter(({ poi }) => poi !== null && /^nan|nan$/.test(poi))).toEqual([]);
			expect(requests.filter(({ capacityMw }) => capacityMw === null)).toHaveLength(sizeless);
			expect(requests.filter(({ county, state, queueDate }) => !county || !state || !queueDate)).toEqual([]);
		},
	);

	it("is recognised as the list of exactly one utility", () => {
		for (const [region, name] of [
			["DUKE", "duke"],
			["SOCO", "soco"],
			["TVA", "tva"],
		] as const) {
			const real = read(`${name}_active_projects.csv`);
			const found = (["DUKE", "SOCO", "TVA"] as const).filter((each) => sourceOf(each).recognises(real));
			expect(found).toEqual([region]);
		}
	});
});

describe("a utility's list of active requests", () => {
	it("is as old as its newest request, and states location, technology and date, but no developer", async () => {
		const parsed = await sourceOf("TVA").parse(
			file(
				"254.0,BFN 500-kV Substation,155.0,Other,08/15/2014,04/30/2018,Limestone,AL,TVA,TVA,limestone_al",
				"614.0,Selmer 161-kV TL,50.0,Solar+Storage,06/12/2024,04/12/2028,helby  Count,TN,TVA,TVA,helbycount_tn",
			),
		);
		expect(parsed.publishedOn).toBe("2024-06-12");
		expect(parsed.requests).toMatchObject([
			{
				...{ number: "254", kind: "utility", poi: "BFN 500-kV Substation", capacityMw: 155, typeStd: "Other" },
				...{ queueDate: "2014-08-15", cod: "2018-04-30", county: "Limestone", state: "AL", utility: "TVA" },
				...{ status: null, statusStd: "Active", statusBasis: null, developer: null, name: null },
			},
			{ number: "614", typeStd: "Solar + Storage", county: "helby" },
		]);
	});

	it.each([
		["Florida 44 kVnan", "Florida 44 kV"],
		["nanHARRISBURG TIE 230 kV", "HARRISBURG TIE 230 kV"],
		["nannan", null],
		["Fernan Lake 69 kV", "Fernan Lake 69 kV"],
	])("with the point %j names %j; nan is read as blank", async (name, poi) => {
		expect((await sourceOf("DUKE").parse(file(duke("1", name)))).requests).toMatchObject([{ poi }]);
	});

	it("accounts for a row without a number", async () => {
		const parsed = await sourceOf("DUKE").parse(file(duke("1", "A kV"), duke("", "B kV"), duke("<b>", "C kV")));
		expect(parsed).toMatchObject({
			rowsIn: 3,
			dropped: [{ reason: "no request number", count: 2, malformed: true }],
		});
	});

	it("with a row of another utility is refused", async () => {
		const mixed = file(duke("1", "A kV"), "2,B,10,Solar,1/1/2020,,Shelby,TN,TVA,TVA,shelby_tn");
		await expect(sourceOf("DUKE").parse(mixed)).rejects.toThrow(
			'the request 2 has the iso_utility "TVA", not DEC or DEP',
		);
	});
});
