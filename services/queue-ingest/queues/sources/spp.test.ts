import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import type { FiledRequest } from "../../sources/source.ts";
import { spp, sppSummary } from "./spp.ts";

const columns2026 = [
	"Generation Interconnection Number",
	"IFS Queue Number",
	"Current Cluster",
	"Cluster Group",
	" Nearest Town or County",
	"State",
	"TO at POI",
	"In-Service Date",
	"Commercial Operation Date",
	"Cessation Date",
	"Original Generator Commercial Op Date",
	"Capacity",
	"MAX Summer MW",
	"MAX Winter MW",
	"Service Type",
	"Requested Maximum Injection Capability (MW)",
	"Requested Network Resource Deliverability (MW)",
	"Nameplate Capacity",
	"Generation Type",
	"Fuel Type",
	"Substation or Line",
	"Request Received",
	"Date Withdrawn",
	"Status",
	"JTIQ Participant",
	"JTIQ Commitment",
	"Cause of Delay",
];
const added2026 = /^Requested|^Nameplate|^JTIQ/;
const columns2025 = columns2026
	.filter((name) => !added2026.test(name))
	.map((name) => name.replace("Original Generator", "Replacement Generator"));

const example: Record<string, string> = {
	"Generation Interconnection Number": "GEN-2024-901",
	"Current Cluster": "DISIS-2024-001",
	"Cluster Group": "04 SOUTHEAST",
	" Nearest Town or County": "Caddo Parrish",
	State: "LA",
	"TO at POI": "AEP",
	"In-Service Date": "6/1/2028",
	"Commercial Operation Date": "12/31/2028",
	Capacity: "150.00",
	"MAX Summer MW": "150.00",
	"MAX Winter MW": "140.00",
	"Service Type": "ER/NR",
	"Generation Type": "Solar",
	"Fuel Type": "Photovoltaic",
	"Substation or Line": "Longwood 138kV",
	"Request Received": "10/30/2024",
	Status: "DISIS STAGE",
};

const file = (source: string, name = "GI_ActiveRequest.csv") => ({ name, bytes: new TextEncoder().encode(source) });

function csv(columns: string[], above: string, ...changes: Record<string, string>[]) {
	const rows = changes.map((change) => columns.map((name) => ({ ...example, ...change })[name] ?? ""));
	return file(above + [columns, ...rows].map((row) => `${row.map((cell) => `"${cell}"`).join(",")}\r\n`).join(""));
}

async function one(change: Record<string, string> = {}): Promise<FiledRequest> {
	const { requests } = await spp.parse(csv(columns2026, "", change));
	if (!requests[0]) throw new Error("no request");
	return requests[0];
}

describe("SPP", () => {
	it("reads a request", async () => {
		expect(await one()).toMatchObject({
			number: "GEN-2024-901",
			name: null,
			developer: null,
			county: "Caddo Parrish",
			state: "LA",
			poi: "Longwood 138kV",
			utility: "AEP",
			cluster: "DISIS-2024-001",
			service: "ER/NR",
			type: "Solar; Photovoltaic",
			typeStd: "Solar",
			status: "DISIS STAGE",
			statusStd: "Active",
			capacityMw: 150,
			summerMw: 150,
			winterMw: 140,
			queueDate: "2024-10-30",
			cod: "2028-12-31",
			actualCod: null,
			studyPhase: "SIS",
			studyPhaseFiled: "DISIS STAGE",
			evidence: { stage: "early", basis: "study-code", contradictory: false },
			raw: { "Cluster Group": "04 SOUTHEAST", "In-Service Date": "2028-06-01" },
		});
	});

	it("uses the In-Service Date if no commercial operation date is stated (TI-12-0217)", async () => {
		const row = { "Commercial Operation Date": "", "In-Service Date": "11/1/2013" };
		expect((await spp.parse(csv(columns2026, "", row))).requests).toMatchObject([
			{ cod: "2013-11-01", actualCod: null },
		]);
	});

	it("reads the publication date from the line above the header, padded or not", async () => {
		for (const line of ['"Last Updated On",8/14/2026\r\n', `"Last Updated On",8/14/2026${",".repeat(25)}\r\n`]) {
			expect(await spp.parse(csv(columns2026, line, {}))).toMatchObject({ publishedOn: "2026-08-14", rowsIn: 1 });
		}
		expect(await spp.parse(csv(columns2026, "", {}))).toMatchObject({ publishedOn: null, rowsIn: 1 });
	});

	it("reads the 22 columns of 2025 and the 27 of 2026 to the same fields", async () => {
		const change = {
			"Original Generator Commercial Op Date": "3/1/2016",
			"Replacement Generator Commercial Op Date": "3/1/2016",
		};
		const [before, after] = [csv(columns2025, "", change), csv(columns2026, "", change)];
		expect((await spp.parse(before)).requests).toEqual((await spp.parse(after)).requests);
		expect((await spp.parse(before)).unknownColumns).toEqual([]);
	});

	it("reads the study stage and the agreement from the status", async () => {
		const cases = [
			["", "Active", "Not Started", "early", "active-only"],
			["ERAS", "Active", "Not Started", "early", "study-code"],
			["FACILITY STUDY STAGE", "Active", "Facilities", "mid", "study-code"],
			["IA PENDING", "Active", "GIA", "late", "study-code"],
			["IA FULLY EXECUTED/ON SCHEDULE", "Active", "IA Executed", "late", "agreement"],
			["IA FULLY EXECUTED/ON SUSPENSION", "Suspended", "IA Executed", "late", "published"],
			["IA FULLY EXECUTED/COMMERCIAL OPERATION", "Operational", "IA Executed", "late", "published"],
			["TERMINATED", "Withdrawn", null, "early", "published"],
		] as const;
		for (const [Status, statusStd, studyPhase, stage, basis] of cases) {
			expect(await one({ Status })).toMatchObject({ statusStd, studyPhase, evidence: { stage, basis } });
		}
	});

	it("treats the commercial operation date as actual only if the status does", async () => {
		const operating = await one({ Status: "IA FULLY EXECUTED/COMMERCIAL OPERATION" });
		expect(operating).toMatchObject({ cod: "2028-12-31", actualCod: "2028-12-31" });
	});

	it("derives the technology of thermal and hybrid plants from the fuel", async () => {
		const cases = [
			["Hybrid", "Solar/Storage", "Solar + Storage"],
			["Hybrid", "Thermal/Storage", "Gas + Storage"],
			["Hybrid", "Solar\\RECIP Gas", "Solar + Gas"],
			["Thermal", "CTG", "Gas"],
			["Thermal", "Coal", "Coal"],
			["Thermal", "", "Gas"],
			["Battery/Storage", "", "Storage"],
		] as const;
		for (const [generation, fuel, typeStd] of cases) {
			expect(await one({ "Generation Type": generation, "Fuel Type": fuel })).toMatchObject({ typeStd });
		}
	});

	it("uses the requested injection as the capacity if it is stated", async () => {
		expect(await one({ "Requested Maximum Injection Capability (MW)": "120" })).toMatchObject({ capacityMw: 120 });
		expect(await one({ "Requested Maximum Injection Capability (MW)": "0.00" })).toMatchObject({ capacityMw: 150 });
	});

	it("reads the clusters Surplus and Replacement as rights of existing plants", async () => {
		expect(await one({ "Current Cluster": "Surplus" })).toMatchObject({ requestClass: "surplus" });
		expect(await one({ "Current Cluster": "Replacement" })).toMatchObject({ requestClass: "replacement" });
		expect(await one()).toMatchObject({ requestClass: "new" });
	});

	it("keeps a new status as filed, counts it, and treats the request as active", async () => {
		const parsed = await spp.parse(csv(columns2026, "", { Status: "SPECIAL STUDY" }));
		expect(parsed.requests[0]).toMatchObject({ status: "SPECIAL STUDY", statusStd: "Active", studyPhase: null });
		expect(parsed.unknownValues).toEqual([{ field: "status", value: "SPECIAL STUDY", count: 1 }]);
	});

	it("keeps the cells of an unknown column", async () => {
		const parsed = await spp.parse(csv([...columns2026, "Upgrade Cost"], "", { "Upgrade Cost": "$5" }));
		expect(parsed.unknownColumns).toEqual(["Upgrade Cost"]);
		expect(parsed.requests[0]?.raw["Upgrade Cost"]).toBe("$5");
	});

	it("recognises the summary of all statuses by its name, else by its withdrawn requests", () => {
		const ofAll = csv(columns2026, "", {}, { Status: "WITHDRAWN" }, { Status: "TERMINATED" });
		const ofActive = csv(columns2026, "", {}, {}, {});
		const kinds = (...files: { name: string; bytes: Uint8Array }[]) =>
			files.map((one) => [spp.recognises(one), sppSummary.recognises(one)]);
		const bare = { name: "download" };
		expect(kinds({ ...ofAll, ...bare }, { ...ofActive, ...bare })).toEqual([
			[false, true],
			[true, false],
		]);
		const [active, summary] = [{ name: "GenerateActiveCSV" }, { name: "GenerateSummaryCSV" }];
		expect(kinds({ ...ofAll, ...active }, { ...ofActive, ...summary })).toEqual([
			[true, false],
			[false, true],
		]);
	});

	it("reads a request without a status as withdrawn if it has a date of withdrawal", async () => {
		expect(await one({ Status: "", "Date Withdrawn": "3/4/2019" })).toMatchObject({
			...{ statusStd: "Withdrawn", withdrawnDate: "2019-03-04" },
			evidence: { contradictory: false },
		});
	});

	it("refuses a list without statuses or numbers", async () => {
		const without = columns2026.filter((name) => name !== "Status");
		await expect(spp.parse(csv(without, "", {}))).rejects.toThrow("required column missing: Status");
		await expect(spp.parse(file("<html></html>"))).rejects.toThrow(StructureError);
	});
});

const dir = join(process.env.REAL_DATA_DIR ?? "../shared/data", "spp");
if (!existsSync(dir)) console.warn(`Skipped: SPP's real files, as ${dir} does not exist (REAL_DATA_DIR).`);

describe.skipIf(!existsSync(dir))("SPP's real files", () => {
	const real = (name: string) => ({ name, bytes: new Uint8Array(readFileSync(join(dir, name))) });
	const statuses = async (name: string) => {
		const { requests } = await spp.parse(real(name));
		return new Map(requests.map((request) => [spp.key(request.number), request.status]));
	};
	const compare = async (before: string, after: string) => {
		const [a, b] = [await statuses(before), await statuses(after)];
		const common = [...a.keys()].filter((key) => b.has(key));
		const changed = common.filter((key) => a.get(key) !== b.get(key));
		return { added: b.size - common.length, gone: a.size - common.length, status: changed.length };
	};

	it.each([
		["2024-07-12/GI_ActiveRequest.xlsx", 853, "2024-07-12"],
		["2025-01-22/GI_ActiveRequest.xlsx", 908, "2025-01-22"],
		["2026-06-29/raw_spp.csv", 962, null],
		["2026-06-30/raw_spp.csv", 961, null],
	])("accounts for every row of %s, without unknown columns", async (name, rows, publishedOn) => {
		expect(spp.recognises(real(name))).toBe(true);
		const parsed = await spp.parse(real(name));
		expect(parsed).toMatchObject({ rowsIn: rows, publishedOn, dropped: [], unknownColumns: [] });
		expect(parsed.requests).toHaveLength(rows);
		expect(
			parsed.unknownValues.map(({ value }) => value).filter((value) => !["SPECIAL STUDY", "ICS"].includes(value)),
		).toEqual([]);
	});

	it("shows the known changes between two files", async () => {
		const [first, second] = ["2024-07-12/GI_ActiveRequest.xlsx", "2025-01-22/GI_ActiveRequest.xlsx"];
		expect(await compare(first, second)).toEqual({ added: 82, gone: 27, status: 97 });
		const day = await compare("2026-06-29/raw_spp.csv", "2026-06-30/raw_spp.csv");
		expect(day).toEqual({ added: 0, gone: 1, status: 0 });
	});
});

const sample = join(
	process.env.REAL_DATA_DIR ?? "../shared/data",
	"../data_2026-11/cases/spp_2026-08-14_rows.sample.csv",
);
it.skipIf(!existsSync(sample))("a line break in a quoted cell does not end a request", async () => {
	const parsed = await sppSummary.parse({ name: "GI_Summary.csv", bytes: new Uint8Array(readFileSync(sample)) });
	expect(parsed).toMatchObject({ publishedOn: "2026-08-14", rowsIn: 4, dropped: [], unknownValues: [] });
	expect(parsed.requests.map(({ number, statusStd, poi }) => [number, statusStd, poi])).toEqual([
		["TI-18-0827", "Active", "Redtail 115 Substation"],
		["GI-TC-2024-31", "Active", "Lincoln - Midway 230 Line"],
		["GI-2016-004", "Withdrawn", "Cow Creek 115 Switching Station"],
		["TI-08-0502", "Active", "Landsman Creek 230 Switching Station"],
	]);
	expect(parsed.requests[2]).toMatchObject({ withdrawnDate: "2019-03-04" });
});
