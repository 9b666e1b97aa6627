/** Numbers of Berkeley Lab's editions and of the EIA's plants, resolved against real lists of the operators; how many are found, and thirty to read. */

import { expect, it } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import type { Region } from "#libs/contract/vocabulary.ts";
import { resolveOwners } from "../../services/queue-ingest/developers/jobs/link-names.ts";
import { linkCompanies } from "../../services/queue-ingest/developers/jobs/link-requests.ts";
import { loadEia860 } from "../../services/queue-ingest/plants/jobs/load-eia860.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { loadLbnl } from "../../services/queue-ingest/queues/jobs/load-lbnl.ts";
import { describeReal, readReal } from "../support/real-files.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const lists: [Region, string][] = [
	["NYISO", "nyiso/2020-11-19/NYISO-Interconnection-Queue.xlsx"],
	["SPP", "spp/2024-07-12/GI_ActiveRequest.xlsx"],
	["ERCOT", "ercot/GIS_Report_October2025.xlsx"],
];
const edition = "lbnl/lbnlisoqueues_2020.xlsx";
const forms = [
	"2023/2___Plant_Y2023",
	"2024/1___Utility_Y2024",
	"2024/3_2_Wind_Y2024",
	"2024/3_3_Solar_Y2024",
	"2024/3_4_Energy_Storage_Y2024",
].map((name) => `eia860_later/${name}.xlsx`);
const paths = [...lists.map(([, path]) => path), edition, ...forms];
const now = () => new Date("2026-11-20T12:00:00Z");

describeReal("numbers of other publishers", paths, () => {
	const queue: Queue = sharedQueue(async () => {
		queue.now = now().toISOString();
		for (const [region, path] of lists)
			expect(await ingestSnapshot(queue.sql, { region, files: [readReal(path)], asOf: null, now })).toMatchObject({
				outcome: "applied",
			});
		expect(await loadLbnl(queue.sql, readReal(edition), now())).toMatchObject({ outcome: "applied" });
		for (const files of Map.groupBy(forms, (path) => path.split("/")[1]).values())
			expect((await loadEia860(queue.sql, files.map(readReal), { resolve: resolveOwners, now })).outcome).toBe(
				"applied",
			);
		expect(await linkCompanies(queue.sql)).toBe(true);
	});

	const ask = async (queries: string[]) => {
		const answers: Reply<"resolve">[] = [];
		for (let at = 0; at < queries.length; at += 1000) {
			const part = queries.slice(at, at + 1000).map((q) => ({ q }));
			answers.push(...(await queue.ask("resolveMany", { queries: part })).data);
		}
		return answers;
	};
	const shareFound = (answers: Reply<"resolve">[]) =>
		answers.filter(({ outcome }) => outcome === "found").length / answers.length;

	const outcomesOf = (answers: Reply<"resolve">[]) =>
		[...Map.groupBy(answers, ({ outcome, method }) => `${outcome} ${method ?? ""}`)].map(
			([how, those]) => `${how}: ${those.length}`,
		);
	/** Fifteen, for a person to read beside their sources. */
	const showSome = (found: Reply<"resolve">[]) => {
		for (let at = 0; at < 15; at++) {
			const { q, project, confidence, evidence } = found[Math.floor((at * found.length) / 15)] ?? {};
			const { id, name, county, capacity_mw } = project ?? {};
			console.info(q, "->", id, name, county, capacity_mw, "|", confidence, evidence?.text, evidence?.row);
		}
	};

	it("of Berkeley Lab resolve to the requests of the lists of that time", async () => {
		const rows = await queue.sql<{ entity: string; q_id: string; region: string }[]>`
			select entity, q_id, lbnl_region as region from lbnl_requests where lbnl_region in ('NYISO', 'SPP', 'ERCOT') and repeat = 1
			order by entity, q_id`;
		const answers = await ask(rows.map(({ entity, q_id }) => `lbnl:${entity}/${q_id}`));
		for (const region of ["NYISO", "SPP", "ERCOT"]) {
			const those = answers.filter((_, at) => rows[at]?.region === region);
			console.info(region, those.length, outcomesOf(those));
		}
		const found = answers.filter(({ outcome }) => outcome === "found");
		showSome(found);
		expect(found.every(({ evidence }) => evidence?.sha256 !== null && evidence?.row !== null)).toBe(true);
		expect(shareFound(answers.filter((_, at) => rows[at]?.region === "NYISO"))).toBeGreaterThan(0.9);
	}, 120_000);

	it("of plants resolve to the requests linked to them", async () => {
		const rows = await queue.sql<{ plant: number; generator: string }[]>`
			select distinct plant_id as plant, generator_id as generator from generators where plant_id in (select plant_id from project_plants) order by 1, 2`;
		const plants = [...new Set(rows.map(({ plant }) => plant))];
		const byPlant = await ask(plants.map((plant) => `eia:${plant}`));
		const byUnit = await ask(rows.map(({ plant, generator }) => `eia:${plant}/${generator}`));
		for (const answers of [byPlant, byUnit]) console.info(answers.length, outcomesOf(answers));
		const found = byPlant.filter(({ outcome }) => outcome === "found");
		showSome(found);
		expect(shareFound(byPlant)).toBeGreaterThan(0.5);
		expect(byPlant.concat(byUnit).every(({ outcome }) => outcome === "found" || outcome === "ambiguous")).toBe(true);
	}, 120_000);

	it("resolve a thousand at once", async () => {
		const ids = (
			await queue.sql<{ number: string }[]>`select queue_id as number from projects order by id limit 1000`
		).map(({ number }) => number);
		const started = performance.now();
		const answers = await ask(ids);
		console.info(`${answers.length} queries in ${Math.round(performance.now() - started)} ms`);
		expect(answers.every(({ outcome }) => outcome === "found" || outcome === "ambiguous")).toBe(true);
	}, 60_000);
});
