/** A stranger before the world: a key of a plan without limits, and something of what is there to ask for. */

import { listFields } from "#libs/contract/records/project.ts";
import { monthlyPriced, reconciliationSources, regions } from "#libs/contract/vocabulary.ts";
import { archiveToday } from "../../support/archive.ts";
import { archivedFile } from "../../support/archived-file.ts";
import { startWorld, type World } from "../../support/world.ts";
import type { Document, Known } from "./tool-copies.ts";
import { aDispute, ownThings, unlimitedKey } from "./walk.ts";

export interface Stranger extends AsyncDisposable {
	world: World;
	key: string;
	/** Values for `tool-copies.ts`. */
	known: Known;
	project: string;
	/** The OpenAPI document, as served. */
	document: Document;
}

const hourlyPriced = regions.filter((region) => !monthlyPriced.includes(region));

const known: Known = {
	// A further letter would make it invalid.
	sql: "select 1 as one where true",
	// A county of the first state, with a year no later than any year in service.
	"calculateTaxCredits.county": "02020",
	"calculateTaxCredits.tract": "02020000101",
	"calculateTaxCredits.construction_start": "2020",
	// The tool knows no list whose members differ (`prefixItems`), and makes up a list of texts.
	bbox: "-107,25,-93,37",
	// Pairs of numbers, which no schema can say.
	polygon: "-107,25,-93,25,-93,37",
	// A cursor is what an answer says, and a technology one of a few words in any case.
	cursor: "*",
	fuel_type: "Solar",
	type: "Solar",
	"replayWebhook.after": 0,
	"compareDays.from": "2026-01-01",
	"compareDays.to": "2026-07-01",
	// A number, for which the tool tries the next and no other type: any text of digits can be that of a request. It has no owners.
	"verifyValue.project_id": 2511,
	"verifyValue.field": listFields,
	// The tool makes longer lists of them than there are values.
	"getReconciliation.source": reconciliationSources,
	// `row` needs `after`.
	"listChanges.include": "raw",
	// The parameters of this operation.
	"quote.operation": "listProjects",
	"resolveMany.state": "TX",
	"getUsage.format": "json",
	"getQuery.format": "json",
	"exportProjects.format": "csv",
	"exportChanges.format": "csv",
	"exportDevelopers.format": "csv",
	"exportScores.format": "csv",
	"exportPlants.format": "csv",
	"exportPrices.format": "csv",
	// Other operators may have months only, and no hours.
	"listMarketPrices.iso": hourlyPriced,
	"listMarketPrices.region": hourlyPriced,
	"exportPrices.iso": hourlyPriced,
	"exportPrices.region": hourlyPriced,
	"getPricesExportManifest.iso": hourlyPriced,
	"getPricesExportManifest.region": hourlyPriced,
};

export async function startStranger(): Promise<Stranger> {
	await using stack = new AsyncDisposableStack();
	const world = stack.use(await startWorld({ query: true }));
	await world.settled();
	await world.extracted();
	const archived = await archiveToday(world);
	const key = await unlimitedKey(world);
	const read = async (path: string) => (await fetch(world.url + path)).json();
	const { data } = (await read("/projects?per_page=1&status=Active&state=TX")) as {
		data: { id: string; region: string; county: string }[];
	};
	const [project] = data;
	if (project === undefined) throw new Error("there is no project");
	const { data: points } = (await read("/pois?per_page=1")) as { data: { poi_id: string }[] };
	const developer = await aDeveloper(world.url);
	const document = (await read("/openapi.json")) as Document;
	// For a number the tool tries the next: none is newer.
	const [{ newest = 0 } = {}] = await world.sql<{ newest: number }[]>`select max(seq) as newest from changes`;
	const owned = stack.move();
	return {
		world,
		key,
		known: {
			...known,
			after_seq: newest,
			"exportChanges.after": newest,
			"getChangesExportManifest.after": newest,
			"getArchiveFile.dataset": archived.dataset,
			"getArchiveFile.series": archived.series,
			"getArchiveFile.file": archived.file,
			"getFile.sha256": await archivedFile(world.sql, "miso"),
			"getFileBytes.sha256": await archivedFile(world.sql, "eia860"),
			project_id: project.id,
			// Values that no list has are refused.
			county: project.county,
			status: "Active",
			region: project.region,
			developer_id: developer,
			dispute_id: await aDispute(world.url),
			poi_id: points[0]?.poi_id ?? "",
			...(await ownThings(world.url, key)),
		},
		project: project.id,
		document,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** One whose number has no successor: in place of an id the tool tries the next. */
async function aDeveloper(url: string): Promise<number> {
	const list = (await (await fetch(`${url}/developers?per_page=200`)).json()) as { data: { developer_id: number }[] };
	for (const { developer_id } of list.data) {
		const next = await fetch(`${url}/developers/${developer_id + 1}`);
		await next.text();
		if (next.status === 404) return developer_id;
	}
	throw new Error("there is no such developer");
}
