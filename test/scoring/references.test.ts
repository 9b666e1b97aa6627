import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sumFiles } from "#libs/service/ingest-program.ts";
import { connect } from "../../libs/postgres/connect.ts";
import { readDataVersion } from "../../libs/postgres/data-version.ts";
import { listWarnings } from "../../services/scoring/domain/places.ts";
import { schema } from "../../services/scoring/migrate.ts";
import { loadReferences } from "../../services/scoring/references/current.ts";
import { recomputeChannel } from "../../services/scoring/tables/recompute-queue.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { workbook } from "../support/file-formats.ts";
import { irsList, type Library, openLibrary } from "./support/references.ts";
import { coalSheet, treasurySheet } from "./support/sample-lists.ts";

let library: Library;
beforeAll(async () => {
	library = await openLibrary();
});
afterAll(() => library[Symbol.asyncDispose]());
beforeEach(() => library.clear());

const list2023 = () => library.file("energy_communities_2023.tsv", irsList(965));
const list2024 = () => library.file("notice_2024-48_appendix_1.tsv", irsList(901));
const places = (...rows: string[]) =>
	library.file("places.csv", `fips,county,state,statistical,coal_tracts,vintage,notice,note\n${rows.join("\n")}\n`);

describe("a list of energy communities", () => {
	it("is stored whole, raises the versions and wakes the scoring worker", async () => {
		const woken = vi.fn();
		const listening = await library.sql.listen(recomputeChannel(schema), woken);
		const data = await readDataVersion(library.sql);
		const [report] = await library.load("energy-communities", await list2024());
		expect(report).toMatchObject({
			outcome: "applied",
			rows_in: 901,
			stored: 901,
			known: 0,
			holds: "Notice 2024-48, counties",
		});
		expect(await library.version()).toBe(1);
		expect(await readDataVersion(library.sql)).toBe(data + 1);
		await eventually(() => woken.mock.calls.length > 0);
		await listening.unlisten();
		expect(
			await library.sql`select name, source, kind, notice, valid_from, rows_in, rows, complete, sample, iso(loaded_at) as at from reference_files`,
		).toEqual([
			{
				...{ name: "notice_2024-48_appendix_1.tsv", source: "energy-communities", kind: "counties", notice: "2024-48" },
				...{ valid_from: "2024-06-07", rows_in: 901, rows: 901, complete: true, sample: false, at: library.now },
			},
		]);
		expect(await library.energyAt("01001")).toMatchObject({ status: "eligible", notice: "2024-48" });
		expect(await library.energyAt("56045")).toMatchObject({ status: "unknown", notice: "2024-48" });
	});

	it("is reported as loaded already the second time, under another name too", async () => {
		await library.load("energy-communities", await list2024());
		const data = await readDataVersion(library.sql);
		const again = await library.load(
			"energy-communities",
			await list2024(),
			await library.file("energy_communities_2024.tsv", irsList(901)),
		);
		expect(again.map(({ outcome, stored, known, reason }) => ({ outcome, stored, known, reason }))).toEqual(
			Array(2).fill({ outcome: "unchanged", stored: 0, known: 901, reason: "the file is already loaded" }),
		);
		expect(sumFiles("energy-communities", again)).toMatchObject({
			files: 2,
			stored: 0,
			known: 1802,
			outcome: "unchanged",
		});
		expect([await library.version(), await readDataVersion(library.sql)]).toEqual([1, data]);
	});

	it("is used by its notice, whatever the order of loading", async () => {
		await library.load("energy-communities", await list2024());
		await library.load("energy-communities", await list2023());
		expect((await loadReferences(library.sql)).energyCommunities).toMatchObject({ notice: "2024-48", complete: true });
		await library.load("energy-communities", await library.file("treasury.xlsx", await workbook([treasurySheet(867)])));
		const { energyCommunities } = await loadReferences(library.sql);
		// The notice states yes or no for every county, and nothing for coal-closure tracts: it does not deny a county that it lacks.
		expect(energyCommunities).toMatchObject({ notice: "2026-39", complete: false, coalNotice: null });
		expect(await library.energyAt("56045")).toMatchObject({ status: "unknown", notice: "2026-39" });
		await library.load("energy-communities", await places("56045,Weston,WY,no,,,2026-39,"));
		expect(await library.energyAt("56045")).toMatchObject({ status: "ineligible", notice: "2026-39" });
		expect(await library.energyAt("72001")).toMatchObject({ status: "unknown", notice: "2026-39" });
	});

	it("with additions to a period is used instead of the list that it adds to", async () => {
		await library.load("energy-communities", await list2023());
		await library.load("energy-communities", await library.file("notice_2023-47_appendix_2.tsv", irsList(843)));
		expect((await loadReferences(library.sql)).energyCommunities?.notice).toBe("2023-47 + 2024-30");
	});

	it("in a corrected edition replaces the earlier one of its notice", async () => {
		await library.load("energy-communities", await list2024());
		await library.load(
			"energy-communities",
			await library.file("energy_communities_2024.tsv", irsList(901).replace("Some", "Another")),
		);
		expect(await library.sql`select name from reference_files`).toEqual([{ name: "energy_communities_2024.tsv" }]);
		expect((await library.energyAt("01001")).reason).toContain("Another nonmetropolitan area");
	});

	it("of coal tracts does not replace that of counties", async () => {
		await library.load("energy-communities", await library.file("EC_CC_V5.xlsx", await workbook([coalSheet(4477)])));
		expect(await library.energyAt("56045")).toMatchObject({ status: "possible", notice: "2026-39" });
		await library.load("energy-communities", await list2024());
		const { energyCommunities } = await loadReferences(library.sql);
		expect(energyCommunities).toMatchObject({ notice: "2024-48", coalNotice: "2026-39", coalComplete: true });
		expect(energyCommunities?.coalTracts.size).toBe(4477);
		expect(await library.energyAt("01001")).toMatchObject({ status: "eligible", notice: "2024-48" });
		expect(await library.energyAt("56045", "56045950000")).toMatchObject({ status: "eligible", notice: "2026-39" });
		expect(await library.energyAt("56045", "56045999900")).toMatchObject({ status: "ineligible", notice: "2024-48" });
	});

	it("of some places decides only about these, and never instead of a whole one", async () => {
		const path = await places("12011,Broward,FL,no,,,2026-39,", "21059,Daviess,KY,yes,,1,2026-39,");
		await library.load("energy-communities", path);
		expect(await library.energyAt("21059")).toMatchObject({
			status: "eligible",
			notice: "2026-39 (partial list of 2 counties)",
		});
		expect((await library.energyAt("01001")).status).toBe("unknown");
		await library.load("energy-communities", await list2024());
		expect(await library.energyAt("21059")).toMatchObject({ status: "ineligible", notice: "2024-48" });
		// Whether it holds a coal-closure tract, the list of places does not say.
		expect(await library.energyAt("56045")).toMatchObject({ status: "unknown", notice: "2024-48" });
	});

	it("of some places beside an older whole one is reported as not used for counties", async () => {
		await library.load("energy-communities", await list2024());
		const path = await places("56045,Weston,WY,yes,,,2026-39,", "56023,Lincoln,WY,,56023978400,,2026-39,");
		const [report] = await library.load("energy-communities", path);
		expect(report).toMatchObject({
			outcome: "applied",
			notes: ["not used for counties: the complete list of Notice 2024-48 is loaded"],
		});
		const references = await loadReferences(library.sql);
		expect(listWarnings(references, { type: "ITC" })).toEqual([
			{
				code: "EC_LIST_OUTDATED",
				message:
					"Energy communities are looked up in Notice 2024-48; Notice 2026-39 has replaced it; its whole list is not loaded.",
			},
		]);
		// Weston's row says that it holds no coal-closure tract, and of its being listed it is not asked.
		expect(await library.energyAt("56045")).toMatchObject({ status: "ineligible", notice: "2024-48" });
		expect((await library.energyAt("56023", "56023978400")).status).toBe("eligible");
	});

	it("of some places without another list is used, and nothing is noted", async () => {
		const [report] = await library.load("energy-communities", await places("12011,Broward,FL,no,,,2026-39,"));
		expect(report?.notes).toEqual([]);
	});

	describe("beside one that is loaded", () => {
		let loaded: Library;
		beforeAll(async () => {
			loaded = await openLibrary();
			await loaded.load("energy-communities", await loaded.file("notice_2024-48_appendix_1.tsv", irsList(901)));
		});
		afterAll(() => loaded[Symbol.asyncDispose]());

		it.each([
			["notice_2024-48_appendix_1.tsv", irsList(450), "the file is truncated"],
			["notice_2024-48_appendix_1.tsv", irsList(901).slice(0, -3), "the last line is not terminated"],
			["calculated_energy_communities_2025.tsv", irsList(805), "forecast"],
			["places.csv", "fips,statistical\n12011,no\n", "required column missing"],
			["list.xlsx", "PK\u0003\u0004nothing more", "damaged or truncated"],
			["list.pdf", "%PDF-1.7", "not a list of energy communities"],
		])("%s that is not a list is refused, and loaded lists remain", async (name, content, reason) => {
			const before = [await loaded.version(), await readDataVersion(loaded.sql)];
			const reports = await loaded.load("energy-communities", await loaded.file(`bad/${name}`, content));
			expect(reports).toMatchObject([{ name, outcome: "refused", stored: 0, reason: expect.stringContaining(reason) }]);
			expect(reports[0]?.reason).toContain(name);
			expect([await loaded.version(), await readDataVersion(loaded.sql)]).toEqual(before);
			expect((await loaded.energyAt("01001")).notice).toBe("2024-48");
			expect(
				await loaded.sql`select last_outcome, last_reason from reference_sources where source = 'energy-communities'`,
			).toEqual([{ last_outcome: "refused", last_reason: reports[0]?.reason }]);
		});
	});

	it("that is missing is refused", async () => {
		expect(await library.load("energy-communities", "/nowhere/no.tsv")).toMatchObject([
			{ outcome: "refused", reason: "no.tsv: there is no such file" },
		]);
	});
});

describe("the bundled sample", () => {
	it("is marked as a sample wherever it is named, and decides about no other places", async () => {
		expect(await library.sample()).toEqual([expect.stringMatching(/applied, 17 places of the bundled sample/)]);
		const notice = "2026-39 (sample of 17 counties)";
		expect(await library.energyAt("06037")).toMatchObject({ status: "eligible", notice });
		expect(await library.energyAt("54045", "54045956900")).toMatchObject({ status: "eligible", notice });
		expect(await library.energyAt("12011")).toMatchObject({ status: "ineligible", notice });
		expect((await library.energyAt("48201")).reason).toContain("second-hand");
		expect(await library.energyAt("56023")).toMatchObject({ status: "possible", notice });
		expect(await library.energyAt("56023", "56023978400")).toMatchObject({ status: "eligible", notice });
		expect(await library.energyAt("01009")).toMatchObject({ status: "possible", notice });
		expect((await library.energyAt("01001")).status).toBe("unknown");
		expect((await library.energyAt("01001")).reason).toContain("sample");
		expect(await library.sample()).toEqual([expect.stringMatching(/unchanged/)]);
	});

	it("is deleted with the first published list, and is not loaded again", async () => {
		await library.sample();
		await library.load("energy-communities", await list2024());
		expect(await library.sql`select notice, sample from reference_files`).toEqual([
			{ notice: "2024-48", sample: false },
		]);
		expect(await library.sample()).toEqual([expect.stringMatching(/was not loaded/)]);
		expect((await library.energyAt("06037")).notice).toBe("2024-48");
	});

	it("remains beside lists of other sources", async () => {
		await library.sample();
		await library.load(
			"ic-costs",
			await library.file("costs.csv", "region,queue_id,cost_usd_per_kw\nPJM,AE1-001,90\n"),
		);
		expect((await library.energyAt("06037")).status).toBe("eligible");
	});

	it("is loaded only by its command", async () => {
		const path = new URL("../../services/scoring/sample/energy-communities-2026-39-sample.csv", import.meta.url)
			.pathname;
		expect(await library.load("energy-communities", path)).toMatchObject([
			{ outcome: "refused", reason: expect.stringContaining("--sample") },
		]);
	});
});

describe("the lists in use", () => {
	it("are read once, and again after another was loaded", async () => {
		const none = await loadReferences(library.sql);
		expect(none).toEqual({ energyCommunities: null, lowIncome: null });
		expect(await loadReferences(library.sql)).toBe(none);
		await library.load("energy-communities", await list2024());
		const some = await loadReferences(library.sql);
		expect(some.energyCommunities).toMatchObject({ notice: "2024-48" });
		expect(await library.sql.begin((tx) => loadReferences(tx))).toBe(some);
	});

	it("of one database are never used for another", async () => {
		await library.load("energy-communities", await list2024());
		await loadReferences(library.sql);
		await using other = await createDatabase("scoring");
		await using otherSql = connect(other.url, { schema, name: "test", max: 1 });
		await otherSql`update reference_versions set version = 1`;
		expect((await loadReferences(otherSql)).energyCommunities).toBeNull();
	});

	it("are complete while another is loaded, and two concurrent loads keep both", async () => {
		const paths = [await list2023(), await list2024()];
		await Promise.all(paths.map((path) => library.load("energy-communities", path)));
		expect(await library.sql`select notice, rows from reference_files order by notice`).toEqual([
			{ notice: "2023-47 + 2024-30", rows: 965 },
			{ notice: "2024-48", rows: 901 },
		]);
		expect(await library.version()).toBe(2);
	});
});
