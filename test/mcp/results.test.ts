/** Long answers: JSON is whole, text is cut and says where the rest is. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { chunk } from "../access/support/owner.ts";
import { startGateway, type TestGateway } from "../api/support/gateway.ts";
import { connect, eras, textOf } from "./support/client.ts";

let gateway: TestGateway;
/** The largest message of the bus, less its headers. */
const large = JSON.stringify({ rows: "x".repeat(8 * 1_048_576 - 1_024) });
/** Chunks of an export that is longer than an agent is given. */
const longer = 8;
async function* exportLonger() {
	for (let part = 0; part < longer; part++) yield chunk;
}
beforeAll(async () => {
	gateway = await startGateway({
		owner: {
			listDevelopers: async () => ({ json: large as never, dataVersion: 1 }),
			exportProjects: exportLonger,
		},
	});
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

test.each(eras)("the longest possible response is a result (%s)", async (era) => {
	await using agent = await connect(gateway.url, { era });
	const result = await agent.call("list_developers", { response_format: "detailed" });
	expect([result.isError ?? false, textOf(result) === large]).toEqual([false, true]);
});

test("an agent gets the beginning of a long export in complete lines", async () => {
	await using agent = await connect(gateway.url);
	const result = await agent.call("export_projects", { response_format: "detailed" });
	const text = textOf(result);
	expect(result._meta?.part).toEqual({
		media_type: expect.stringContaining("text/csv"),
		bytes: Buffer.byteLength(text),
		truncated: true,
	});
	expect(result.content[1]).toMatchObject({ type: "resource_link", uri: `${gateway.url}/export/projects` });
	expect(text.length).toBeGreaterThan(1_000_000);
	expect(text.length).toBeLessThanOrEqual(1_048_576);
	expect(text.endsWith("\n")).toBe(true);
	expect(new Set(text.trimEnd().split("\n"))).toEqual(new Set([chunk.split("\n")[0]]));
});

test("the link to the rest has the public address and the parameters", async () => {
	const settings = { PUBLIC_URL: "https://data.example.com" };
	await using elsewhere = await startGateway({ settings, owner: { exportProjects: oneLine } });
	await using agent = await connect(elsewhere.url);
	const { content } = await agent.call("export_projects", { state: "TX" });
	expect(content[1]).toMatchObject({ uri: "https://data.example.com/export/projects?state=TX" });
});

async function* oneLine() {
	for (let row = 0; row < 10_000; row++) yield "id\n";
}
