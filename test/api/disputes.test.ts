/** A dispute over HTTP: what it has to name, what became of it, and the correction in what is served. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import { acceptDispute, refuseDispute } from "../../services/queue-ingest/quality/disputes/settle.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld();
	await world.settled();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const reason = "The county's permit names another company.";
const evidence_url = "https://example.org/permit";

async function post(body: object): Promise<{ status: number; body: Record<string, unknown> }> {
	const headers = { "content-type": "application/json" };
	const response = await fetch(`${world.url}/disputes`, { method: "POST", headers, body: JSON.stringify(body) });
	return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const get = async <T>(path: string): Promise<T> => (await (await fetch(world.url + path)).json()) as T;

/** A listed request that has a developer. */
async function linked() {
	const { data } = await get<Reply<"listProjects">>("/projects?per_page=200");
	const found = data.find(({ developer_canonical }) => developer_canonical !== null);
	if (found === undefined) throw new Error("no request has a developer");
	return found;
}

test("an accepted dispute corrects the served data and shows its state at its URL", async () => {
	const { id, developer_canonical } = await linked();
	const { data } = await get<Reply<"listDevelopers">>("/developers?per_page=50");
	const right = data.find(({ canonical_name }) => canonical_name !== developer_canonical)?.canonical_name ?? "";
	const opened = await post({ about: "developer_link", project_id: id, proposed: right, reason, evidence_url });
	expect(opened).toMatchObject({ status: 200, body: { state: "open", stated: developer_canonical, project_id: id } });
	const path = `/disputes/${opened.body.dispute_id}`;
	expect(await get(path)).toEqual(opened.body);
	const decision = { author: "A. Reader", at: new Date("2026-11-20T12:00:00Z"), reason: "The permit says so." };
	await acceptDispute(world.sql, Number(opened.body.dispute_id), right, { ...decision, wholeName: false });
	await eventually(async () => {
		expect(await get(`/projects/${id}`)).toMatchObject({
			developer_canonical: right,
			developer_match: {
				method: "correction",
				evidence: `corrected by A. Reader on 2026-11-20: The permit says so. (${evidence_url})`,
			},
		});
		expect(await get(path)).toMatchObject({ state: "accepted", decision: "The permit says so." });
		return true;
	});
	const other = await post({ about: "developer_link", project_id: id, reason, evidence_url });
	await refuseDispute(world.sql, Number(other.body.dispute_id), { ...decision, reason: "It is settled." });
	await eventually(async () => {
		const { state, decision: why } = await get<Reply<"getDispute">>(`/disputes/${other.body.dispute_id}`);
		return state === "refused" && why === "It is settled.";
	});
});

test("an incomplete or invalid dispute is a 422 that names the field; about an unknown object it is a 404", async () => {
	const { id } = await linked();
	const good = { about: "developer_link", project_id: id, reason, evidence_url };
	const wrong: [object, string][] = [
		[{ about: "weather" }, "about"],
		[{ project_id: undefined }, "project_id"],
		[{ about: "project_field" }, "field"],
		[{ about: "project_field", field: "colour" }, "field"],
		[{ identifier: "cik:7" }, "identifier"],
		[{ about: "identifier", project_id: undefined, developer_id: "Invenergy" }, "proposed"],
		[{ about: "identifier", project_id: undefined, developer_id: "Invenergy", identifier: "cik:x" }, "identifier"],
		[{ reason: "short" }, "reason"],
		[{ reason: "x".repeat(2_001) }, "reason"],
		[{ reason: "a reason with \u0000 in it" }, "reason"],
		[{ evidence_url: "http://example.org/" }, "evidence_url"],
		[{ evidence_url: "https://name:word@example.org/" }, "evidence_url"],
		[{ evidence_url: "javascript:alert(1)" }, "evidence_url"],
		[{ evidence_url: `https://example.org/${"x".repeat(500)}` }, "evidence_url"],
		[{ severity: "high" }, "severity"],
		[{ as_of: "2199-01-01" }, "as_of"],
		[{ as_of: "soon" }, "as_of"],
		[{ about: "ownership", as_of: "2026-01-01" }, "as_of"],
	];
	for (const [more, field] of wrong) {
		const { status, body } = await post({ ...good, ...more });
		expect([field, status, String(body.detail).includes(field)]).toEqual([field, 422, true]);
	}
	const unknown = { about: "identifier", project_id: undefined, developer_id: "Invenergy", identifier: "cik:7" };
	for (const more of [
		{ project_id: "ERCOT-none-such" },
		{ as_of: "2001-01-01" },
		unknown,
		{ ...unknown, developer_id: "No such developer" },
	])
		expect((await post({ ...good, ...more })).status).toBe(404);
	expect((await fetch(`${world.url}/disputes/999999`)).status).toBe(404);
});
