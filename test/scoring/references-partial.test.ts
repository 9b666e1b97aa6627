import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listWarnings } from "../../services/scoring/domain/places.ts";
import { loadReferences } from "../../services/scoring/references/current.ts";
import { irsList, type Library, openLibrary } from "./support/references.ts";

let library: Library;
beforeEach(async () => {
	library = await openLibrary();
});
afterEach(() => library[Symbol.asyncDispose]());

const list2024 = () => library.file("notice_2024-48_appendix_1.tsv", irsList(901));
const places = (...rows: string[]) =>
	library.file("places.csv", `fips,county,state,statistical,coal_tracts,vintage,notice,note\n${rows.join("\n")}\n`);

describe("a list of energy communities", () => {
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
			noted: ["not used for counties: the whole list of Notice 2024-48 is loaded"],
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
		expect(report?.noted).toEqual([]);
	});
});
