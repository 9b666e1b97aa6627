/** The real files, each under a name that says nothing: recognised as what they are, and what is not an operator's list as none. */
import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { expect, test } from "vitest";
import { recogniseContent } from "../../services/queue-ingest/queues/jobs/files/recognise.ts";
import { type FolderFile, snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { haveRealData, realData } from "../../tools/bench/real-data.ts";

/** The oldest and the newest file of each format, by feed. */
async function chosenFiles(): Promise<FolderFile[]> {
	const { files } = await snapshotFiles(realData);
	const kinds = Map.groupBy(files, ({ source, path }) => `${source.feed} ${extname(path)}`);
	return [...kinds.values()].flatMap((of) => of.filter((_, at) => at === 0 || at === of.length - 1));
}

const files = haveRealData ? await chosenFiles() : [];
if (!haveRealData) test.skip("the real lists: there are none here");

test.each(files.map(({ path, source }) => [path, source.feed]))(
	"%s is recognised as of %s",
	async (path, feed) => {
		const bytes = await readFile(join(realData, path));
		for (const name of ["download.bin", "x.xlsx"]) expect((await recogniseContent({ name, bytes }))?.feed).toBe(feed);
	},
	120_000,
);

const others = [
	"interconnection_costs/pjm_costs_2022_clean_data.xlsx",
	"dg/Net_Metering_2018.xlsx",
	"dg/NYSERDA_DER_Portfolio_Metric_Data_org.xlsx",
	"developers/EIA861_Utility_Data_2018.xlsx",
	"developers/GEM_gas-plant_data-2024-08-29.csv",
	"caiso/PreliminaryCluster14ProjectListasofMay20-2021.xlsx",
];
test.skipIf(!haveRealData).each(others)(
	"%s is recognised as no operator's list",
	async (path) => {
		const bytes = await readFile(join(realData, path));
		expect(await recogniseContent({ name: basename(path), bytes })).toBeUndefined();
	},
	120_000,
);
