/** Owners of numbers in the registers of SEC and EIA, on real files: counted, and twenty of each read by hand. */

import { expect, it } from "vitest";
import { loadDatasets } from "../../services/queue-ingest/datasets/load-datasets.ts";
import { resolveOwners } from "../../services/queue-ingest/developers/jobs/link-names.ts";
import { linkCompanies } from "../../services/queue-ingest/developers/jobs/link-requests.ts";
import { loadDevelopers } from "../../services/queue-ingest/developers/jobs/load-developers.ts";
import { syncRegister } from "../../services/queue-ingest/developers/jobs/register.ts";
import { loadEia860 } from "../../services/queue-ingest/plants/jobs/load-eia860.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { issuers } from "../../services/signals/companies/issuers.ts";
import { describeReal, readReal } from "../support/real-files.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const folders = ["ercot", "nyiso", "eia860_later", "eia860m", "developers", "sec"];
const now = () => new Date();

describeReal("identifiers on real files", folders, () => {
	const queue: Queue = sharedQueue(async () => {
		await syncRegister(queue.sql);
		for (const [region, path] of [
			["ERCOT", "ercot/GIS_Report_October2025.xlsx"],
			["NYISO", "nyiso/2025-01-09/NYISO-Interconnection-Queue.xlsx"],
		] as const) {
			const loaded = await ingestSnapshot(queue.sql, { region, files: [readReal(path)], asOf: null, now });
			expect([region, loaded.outcome]).toEqual([region, "applied"]);
		}
		const forms = ["1___Utility_Y2024", "4___Owner_Y2024"].map((name) => readReal(`eia860_later/2024/${name}.xlsx`));
		expect((await loadEia860(queue.sql, forms, { resolve: resolveOwners, now })).outcome).toBe("applied");
		const units = [readReal("eia860m/planned-2026-04.derived.json")];
		expect((await loadDatasets(queue.sql, "eia-units", units, { now })).outcome).toBe("applied");
		await linkCompanies(queue.sql);
		const companies = ["sec/company_tickers.json", "developers/EIA861_Utility_Data_2018.xlsx"].map(readReal);
		expect((await loadDevelopers(queue.sql, companies, now)).outcome).toBe("applied");
	});

	const numbers = async (scheme: string): Promise<Map<string, string>> => {
		const rows = await queue.sql<{ value: string; name: string }[]>`
			select value, canonical_name as name from developer_identifiers join developers using (developer_id)
			where scheme = ${scheme}`;
		return new Map(rows.map(({ value, name }) => [value, name]));
	};

	it("are found for all developers with a matching name", async () => {
		const counts = await queue.sql`
			select scheme, count(*) as numbers, count(distinct developer_id) as developers from developer_identifiers
			group by scheme order by scheme`;
		console.info(JSON.stringify([...counts]));
		expect(counts.map(({ scheme, numbers: n }) => [scheme, n >= 40])).toEqual([
			["cik", true],
			["eia_entity", true],
			["eia_utility", true],
		]);
	});

	it("belong to the same companies as in the list of issuers of signals", async () => {
		const found = await numbers("cik");
		const both = [...issuers].filter(([cik, { developer }]) => developer !== null && found.has(cik));
		expect(both.length).toBeGreaterThan(25);
		expect(both.map(([cik, { developer }]) => [cik, found.get(cik) === developer, found.get(cik), developer])).toEqual(
			both.map(([cik, { developer }]) => [cik, true, developer, developer]),
		);
		// Groups of which the register has a business: the number is not the business's.
		for (const group of ["34088", "879764", "93410", "895728", "1140625", "797468"])
			expect(found.has(group)).toBe(false);
	});

	it("equal those read by hand", async () => {
		for (const scheme of ["eia_utility", "eia_entity"]) {
			const found = await numbers(scheme);
			for (const [value, name] of Object.entries(byHand)) {
				const numbered = found.get(value);
				if (numbered !== undefined) expect([value, numbered]).toEqual([value, name]);
			}
			expect(Object.keys(byHand).filter((value) => found.has(value)).length).toBeGreaterThanOrEqual(20);
		}
	});

	it("lead to their developer, and are shown with it and their source", async () => {
		const { data } = await queue.ask("listDevelopers", { identifier: "CIK:0001326160" });
		expect(data.map(({ canonical_name }) => canonical_name)).toEqual(["Duke Energy"]);
		const detail = await queue.ask("getDeveloper", { developer_id: "Duke Energy" });
		expect(detail.data.identifiers).toContainEqual({
			...{ scheme: "cik", value: "1326160", method: "name", confidence: 0.95, source: "sec_company_tickers" },
			evidence: "SEC's list of listed companies: Duke Energy CORP",
		});
		expect(detail.data.identifiers.filter(({ scheme }) => scheme === "lei")).toEqual([]);
	});
});

/** EIA's numbers, read in its files. */
const byHand = {
	...{ "195": "Alabama Power", "733": "American Electric Power", "803": "Arizona Public Service" },
	...{ "1015": "Austin Energy", "1307": "Basin Electric", "3542": "Duke Energy", "4716": "Dairyland Power" },
	...{ "5109": "DTE Energy", "5248": "Dominion Energy", "5416": "Duke Energy", "5701": "El Paso Electric" },
	...{ "6452": "FPL", "7140": "Georgia Power", "7601": "Green Mountain Power", "9191": "Idaho Power" },
	...{ "11208": "LADWP", "11269": "LCRA", "12341": "MidAmerican Energy", "12686": "Mississippi Power" },
	...{ "15248": "Portland General Electric", "15466": "Xcel Energy", "15500": "Puget Sound Energy", "16609": "SDG&E" },
	...{ "17543": "Santee Cooper", "17609": "Southern California Edison", "18642": "TVA", "19547": "Hawaiian Electric" },
	...{ "19876": "Dominion Energy", "20847": "WEC Energy Group", "24211": "Tucson Electric Power" },
};
