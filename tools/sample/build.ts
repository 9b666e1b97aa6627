/**
 * Writes the bundled sample into `services/queue-ingest/admin/sample/files`: `<feed>/<day>/<the operator's file name>`, `eia860/<year>/<the EIA's file name>` and, of the related
 * datasets, `<source>/<the publisher's file name>`. Everything in it is invented; the layouts are the publishers' own. The same lists
 * make the same files. Run it after a change of `lists/`: `node tools/sample/build.ts`. Files whose rows are of certain
 * days are written when they are loaded: `dated.ts`.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { inflateArchive, isZip } from "#libs/files/archive.ts";
import { zip, zipEntry } from "../../test/support/file-formats.ts";
import { caiso } from "./lists/caiso.ts";
import { caisoCluster15 } from "./lists/caiso-cluster-15.ts";
import { datacenterFiles } from "./lists/datacenters.ts";
import { dgFiles } from "./lists/dg.ts";
import { eia860Workbooks } from "./lists/eia860.ts";
import { ercot } from "./lists/ercot.ts";
import { isone } from "./lists/isone.ts";
import { miso } from "./lists/miso.ts";
import { nyiso } from "./lists/nyiso.ts";
import { pjmCycle } from "./lists/pjm-cycle.ts";
import { pjmSerial } from "./lists/pjm-serial.ts";
import { spp } from "./lists/spp.ts";

const lists = [pjmCycle, pjmSerial, miso, ercot, caiso, caisoCluster15, nyiso, spp, isone];
/** Dates in the files that state one. The other files are dated by the clock when they are loaded. */
const days = { yesterday: "2026-11-19", today: "2026-11-20" } as const;

const folder = new URL("../../services/queue-ingest/admin/sample/files/", import.meta.url);

/** Every file of the sample, by its path below `folder`. */
export async function files(): Promise<{ path: string; bytes: Buffer }[]> {
	const made: { path: string; bytes: Buffer }[] = [];
	for (const list of lists) {
		for (const name of ["yesterday", "today"] as const) {
			const written = await list.write(list[name], { iso: days[name], isToday: name === "today" });
			made.push({ path: `${list.feed}/${name}/${list.name}`, bytes: written });
		}
	}
	made.push(...(await eia860Workbooks()), ...(await dgFiles()), ...datacenterFiles());
	return Promise.all(
		made.map(async ({ path, bytes }) => ({ path, bytes: isZip(bytes) ? await withoutTimes(bytes) : bytes })),
	);
}

/** An archive notes when each of its parts was written: left out, so that the same list makes the same file. */
async function withoutTimes(archive: Buffer): Promise<Buffer> {
	const { entries } = await inflateArchive(archive, () => true, { maxInflatedBytes: 1 << 24, maxEntries: 100 });
	return zip([...entries].map(([name, content]) => zipEntry(name, content)));
}

if (import.meta.main) {
	for (const feed of [...lists.map((list) => list.feed), "eia860", "dg", "datacenters"])
		await rm(new URL(`${feed}/`, folder), { recursive: true, force: true });
	for (const { path, bytes } of await files()) {
		const target = new URL(path, folder);
		await mkdir(new URL("./", target), { recursive: true });
		await writeFile(target, bytes);
		console.log(`${path}: ${bytes.length} bytes`);
	}
}
