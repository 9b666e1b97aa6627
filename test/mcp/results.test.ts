/** What becomes of long answers: whole where they are JSON, their beginning where they are text, and where the rest is. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDoor, type TestDoor } from "../access/support/door.ts";
import { chunk } from "../access/support/owner.ts";
import { startGateway } from "../api/support/gateway.ts";
import { eventually } from "../support/eventually.ts";
import { connect, eras, textOf } from "./support/client.ts";

let door: TestDoor;
/** As much as the bus carries at once, less its headers; and streams without an end, whose chunks are counted. */
const large = JSON.stringify({ rows: "x".repeat(8 * 1_048_576 - 1_024) });
const endless = { chunks: 0, ended: 0 };
async function* withoutEnd() {
	endless.chunks = 0;
	try {
		for (;;) {
			endless.chunks++;
			yield chunk;
		}
	} finally {
		endless.ended++;
	}
}
beforeAll(async () => {
	door = await startDoor({
		owner: {
			listDevelopers: async () => ({ json: large as never, dataVersion: 1 }),
			exportProjects: withoutEnd,
			getExportManifest: withoutEnd,
		},
	});
});
afterAll(() => door?.[Symbol.asyncDispose]());

test.each(eras)("the longest answer that there can be is a result (%s)", async (era) => {
	await using agent = await connect(door.url, { era });
	const result = await agent.call("list_developers");
	expect([result.isError ?? false, textOf(result) === large]).toEqual([false, true]);
});

test.each(eras)("an answer without an end that is no text is broken off and says so (%s)", async (era) => {
	const before = endless.ended;
	await using agent = await connect(door.url, { era });
	const result = await agent.call("get_export_manifest");
	expect([result.isError, result.structuredContent]).toEqual([true, undefined]);
	expect(JSON.parse(textOf(result))).toMatchObject({ status: 413, detail: expect.stringContaining("per_page") });
	await eventually(() => endless.ended === before + 1);
});

test.each(eras)(
	"of an export without an end an agent gets the beginning in whole lines, and the rest is not made (%s)",
	async (era) => {
		const before = endless.ended;
		await using agent = await connect(door.url, { era });
		const result = await agent.call("export_projects");
		const text = textOf(result);
		expect(result.structuredContent).toEqual({
			media_type: expect.stringContaining("text/csv"),
			bytes: Buffer.byteLength(text),
			truncated: true,
			download: `${door.url}/export/projects`,
		});
		expect(text.length).toBeGreaterThan(1_000_000);
		expect(text.length).toBeLessThanOrEqual(1_048_576);
		expect(text.endsWith("\n")).toBe(true);
		expect(new Set(text.trimEnd().split("\n"))).toEqual(new Set([chunk.split("\n")[0]]));
		await eventually(() => endless.ended === before + 1);
		// A megabyte, and what was on its way.
		expect(endless.chunks).toBeLessThan(40);
	},
);

test("where the rest is has the public address, and the parameters", async () => {
	const settings = { PUBLIC_URL: "https://data.example.com" };
	await using gateway = await startGateway({ settings, owner: { exportProjects: oneLine } });
	await using agent = await connect(gateway.url);
	const { structuredContent } = await agent.call("export_projects", { state: "TX" });
	expect(structuredContent).toMatchObject({ download: "https://data.example.com/export/projects?state=TX" });
});

async function* oneLine() {
	yield "id\n";
}
