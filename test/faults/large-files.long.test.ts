/** Time and memory for reading each real file: nightly. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { growth, megabyte } from "./peak.ts";
import { hasRealData, realData } from "./real-lists.ts";

const real = hasRealData ? (await snapshotFiles(realData)).files : [];

it.skipIf(!hasRealData).each(real)("$path uses less than 600 MB", async ({ source, path }) => {
	const { grown, requests } = await growth(source.feed, join(realData, path));
	expect(requests).toBeGreaterThan(0);
	expect(grown).toBeLessThan(600 * megabyte);
});
