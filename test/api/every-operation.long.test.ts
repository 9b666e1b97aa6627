/** Every documented and every odd value of every parameter of every operation, each by itself, and real lists: `every-operation.test.ts` tries some values, and the sample. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { hasRealData, realData } from "../faults/real-lists.ts";
import {
	acceptedValues,
	freeParameters,
	oddValues,
	openReplies,
	parametersBesidePath,
	type Replies,
	wrongs,
} from "./support/operation-replies.ts";
import { expectNoFileLeaves, leaks, operatorsFiles } from "./support/raw-files.ts";
import { walk } from "./support/walk.ts";

let replies: Replies;
beforeAll(async () => {
	replies = await openReplies();
});
afterAll(() => replies?.[Symbol.asyncDispose]());

test.each(walk)("$name accepts every documented value of every parameter", async (step) => {
	for (const [name, schema] of freeParameters(step))
		await replies.expectTaken(step, name, acceptedValues(name, schema));
});

test.each(walk)("$name refuses every odd value that a parameter's schema refuses", async (step) => {
	for (const parameter of parametersBesidePath(step))
		for (const value of oddValues) await replies.expectRefusedTogether(step, wrongs([parameter], value));
});

const realLists = [
	["PJM", "pjm/2026-06-29/raw_pjm_cycle_transition.csv"],
	["NYISO", "nyiso/2025-01-09/NYISO-Interconnection-Queue.xlsx"],
] as const;
if (!hasRealData) console.warn("Skipped: operators' real lists among the files that may not leave (REAL_DATA_DIR).");

test.runIf(hasRealData)("no real list of an operator leaves through any address", async () => {
	const { world, roomyKey } = replies;
	// The first real list takes the sample's place: the last test of this file.
	for (const [region, path] of realLists) {
		const files = [{ name: path, path, bytes: readFileSync(join(realData, path)) }];
		const asOf = world.clock.now.toISOString();
		const { outcome } = await ingestSnapshot(world.sql, { region, files, asOf, accept: true });
		expect([region, outcome]).toEqual([region, "applied"]);
	}
	const files = await operatorsFiles(world);
	expect(files.size).toBe(realLists.length);
	for (const step of walk)
		for (const format of ["", ...("format" in step.operation.params.shape ? ["csv", "parquet"] : [])]) {
			const response = await replies.request(step, { more: format === "" ? {} : { format } });
			const body = Buffer.from(await response.arrayBuffer());
			expect([step.name, format, leaks(files, body)]).toEqual([step.name, format, []]);
		}
	await expectNoFileLeaves(world, files, roomyKey);
});
