import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { run } from "../../services/scoring/admin/ingest.ts";
import { lookUpListings } from "../../services/scoring/domain/places.ts";
import { loadReferences } from "../../services/scoring/references/current.ts";
import { loadFolder } from "../../services/scoring/references/load-folder.ts";
import { haveRealData, realData } from "../../tools/bench/real-data.ts";
import { csv, workbook } from "../support/file-formats.ts";
import { irsList, type Library, openLibrary } from "./support/references.ts";
import { costSheets } from "./support/sample-lists.ts";

const costHeaders = ["Real POI/kW", "Real Network/kW", "Real Total/kW"];
const costRow = ["J1", "SIS", new Date("2020-05-01T00:00:00Z"), 100, 1, 2, 3];

let library: Library;
beforeAll(async () => {
	library = await openLibrary();
});
afterAll(() => library[Symbol.asyncDispose]());
beforeEach(() => library.clear());

describe("the command", () => {
	const command = async (...args: string[]) => {
		const [out, err] = [vi.spyOn(console, "log").mockReturnValue(), vi.spyOn(console, "error").mockReturnValue()];
		try {
			const code = await run(args, { POSTGRES_URL: library.url, INIT_CWD: library.folder });
			const last: unknown = out.mock.calls.at(-1)?.[0];
			return {
				code,
				sum: typeof last === "string" ? (JSON.parse(last) as object) : undefined,
				said: err.mock.calls.map(([line]) => String(line)).join("\n"),
			};
		} finally {
			out.mockRestore();
			err.mockRestore();
		}
	};

	it("prints the sum as JSON, and exits with 0 if all was loaded or known, 3 if a file was refused", async () => {
		await library.file("notice_2024-48_appendix_1.tsv", irsList(901));
		const name = "notice_2024-48_appendix_1.tsv";
		expect(await command("--source", "energy-communities", name)).toMatchObject({
			code: 0,
			sum: {
				source: "energy-communities",
				files: 1,
				rows_in: 901,
				stored: 901,
				dropped: 0,
				outcome: "applied",
				reason: null,
			},
		});
		expect(await command("--source", "Energy-Communities", name)).toMatchObject({
			code: 0,
			sum: { outcome: "unchanged" },
		});
		expect(await command("--source", "energy-communities", name, "no.tsv")).toMatchObject({
			code: 3,
			sum: { outcome: "refused", reason: "no.tsv: there is no such file" },
		});
		expect(await command("--source", "low-income", name)).toMatchObject({ code: 3, sum: { outcome: "refused" } });
	});

	it("loads a folder, and names the files that it leaves out", async () => {
		await library.file("energy_communities/notice_2024-48_appendix_1.tsv", irsList(901));
		await library.file("energy_communities/fossil_fuel_employment_counties.tsv", irsList(1500));
		await library.file("energy_communities/README.md", "# Lists");
		await library.file(
			"ic_costs/costs.csv",
			csv([
				["region", "queue_id", "cost_usd_per_kw"],
				["PJM", "AE1-001", 90],
			]),
		);
		await library.file("interconnection_costs/miso.xlsx", await workbook(costSheets("MISO", costHeaders, [costRow])));
		const { code, said } = await command("--data", ".");
		expect([code, said]).toEqual([0, expect.stringMatching(/fossil_fuel.*not loaded/)]);
		expect(said).toContain("interconnection_costs: 1 files, 1 rows, 1 stored");
		expect(said).toContain("energy_communities: 1 files, 901 rows, 901 stored");
		expect(said).toContain("ic_costs: 1 files, 1 rows, 1 stored");
		await library.file("energy_communities/energy_communities_2023.tsv", irsList(400));
		expect((await command("--data", ".")).code).toBe(3);
	});

	it("names a file that is not used, and rows without a known request", async () => {
		await library.file("notice_2024-48_appendix_1.tsv", irsList(901));
		const header = "fips,county,state,statistical,coal_tracts,vintage,notice,note";
		await library.file("places.csv", `${header}\n12011,Broward,FL,no,,,2026-39,\n`);
		await library.file("ic_costs/costs.csv", "region,queue_id,cost_usd_per_kw\nPJM,AE1-001,90\n");
		const lists = await command("--source", "energy-communities", "notice_2024-48_appendix_1.tsv", "places.csv");
		expect(lists.said).toContain("; not used for counties: the complete list of Notice 2024-48 is loaded");
		expect((await command("--data", ".")).said).toContain("; 1 names no request that is known yet: PJM-AE1-001");
	});

	it("loads the sample", async () => {
		expect((await command("--sample")).code).toBe(0);
		expect((await loadReferences(library.sql)).energyCommunities?.notice).toContain("sample");
	});

	it.each([
		[["--source", "form-d", "x"], "is not one of energy-communities, low-income, ic-costs"],
		[["--source", "ic-costs"], "the file or folder to load is missing"],
		[["--sample", "--data", "."], "cannot be combined with other arguments"],
		[["--sample", "x.tsv"], "cannot be combined with other arguments"],
		[["--live"], "--live"],
		[[], "is not one of"],
	])("%j is a usage error: one sentence and exit code 1", async (args, sentence) => {
		const { code, said, sum } = await command(...args);
		expect([code, sum]).toEqual([1, undefined]);
		expect(said).toContain(sentence);
		expect(said).not.toContain("\n");
	});
});

describe.skipIf(!haveRealData)("the real lists", () => {
	it("load from their folder, with nothing refused, and again without a change", async () => {
		const lines: string[] = [];
		const options = { now: () => new Date(library.now), report: (line: string) => void lines.push(line) };
		expect(await loadFolder(library.sql, realData, options)).toEqual({ refused: 0 });
		expect(
			await library.sql`select notice, rows from reference_files order by valid_from, published_on nulls last, notice, rows`,
		).toEqual([
			{ notice: "2023-47", rows: 843 },
			{ notice: "2023-47 + 2024-30", rows: 965 },
			{ notice: "CDFI Fund NMTC low-income communities (ACS 2016-2020)", rows: 35_167 },
			{ notice: "2024-48", rows: 901 },
			// Interconnection costs of NYISO, MISO and PJM.
			{ notice: null, rows: 301 },
			{ notice: null, rows: 922 },
			{ notice: null, rows: 1127 },
		]);
		const { energyCommunities, lowIncome } = await loadReferences(library.sql);
		expect(energyCommunities).toMatchObject({
			notice: "2024-48",
			validFrom: "2024-06-07",
			complete: true,
			coalNotice: null,
		});
		expect(energyCommunities?.counties.size).toBe(901);
		expect(lowIncome?.tracts.size).toBe(35_167);
		expect(await library.energyAt("48201")).toMatchObject({ status: "eligible", notice: "2024-48" });
		// No list of coal-closure tracts is among them.
		expect(await library.energyAt("12011")).toMatchObject({ status: "unknown" });
		expect(lookUpListings(await loadReferences(library.sql), { fips: "48201" }).lowIncome.status).toBe("possible");
		const before = await library.version();
		expect(await loadFolder(library.sql, realData, options)).toEqual({ refused: 0 });
		expect(await library.version()).toBe(before);
	});
});
