/** Walks the registry: what is declared is answered, and what is not is refused. A new operation only needs a line in `examples`. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { operations } from "#libs/contract/index.ts";
import { takesBody } from "#libs/contract/operation.ts";
import { readArchivedBytes } from "../../services/queue-ingest/provenance/read-rows.ts";
import { problem } from "../support/problem.ts";
import type { World } from "../support/world.ts";
import {
	documentedValues,
	freeParameters,
	isTriedApart,
	oddValues,
	openReplies,
	type Parameter,
	parametersBesidePath,
	type Replies,
	refusedHere,
	someValues,
	wrongs,
} from "./support/operation-replies.ts";
import { expectNoFileLeaves, leaks, runsOf } from "./support/raw-files.ts";
import { examples, newKey, walk } from "./support/walk.ts";

let replies: Replies;
let world: World;
let roomyKey: string;
beforeAll(async () => {
	replies = await openReplies();
	({ world, roomyKey } = replies);
});
afterAll(() => replies?.[Symbol.asyncDispose]());

/** Operations share parameters, schema and meaning: those of the operations before have been tried. */
const tried = new Set<z.ZodType>();
const isNew = ([name, schema]: Parameter) => isTriedApart([name, schema]) || !tried.has(schema);
/** Ways to call an operation, of which one has been called with `api_key` in its address. */
const knowing = new Set<string>();

describe.each(walk)("$name", (step) => {
	test("returns its example as declared", () => replies.expectReply(step));

	// Each value by itself: every-operation.long.test.ts.
	test("accepts documented values of every parameter", async () => {
		const parameters = freeParameters(step);
		for (const [name, schema] of parameters)
			for (const value of documentedValues(schema))
				expect([name, value, schema.safeParse(value).error]).toEqual([name, value, undefined]);
		const tries = parameters.map((one) => [one, someValues(...one).slice(isNew(one) ? 0 : -1)] as const);
		for (const [[name], values] of tries.filter(([one]) => isTriedApart(one)))
			await replies.expectTaken(step, name, values);
		const together = tries.filter(([one]) => !isTriedApart(one));
		for (let nth = 0; together.some(([, values]) => nth < values.length); nth++)
			await replies.expectTakenTogether(
				step,
				together.flatMap(([[name], { [nth]: value }]) => (value === undefined ? [] : [[name, value] as const])),
			);
	});

	test("refuses an unknown parameter by name, but accepts api_key", async () => {
		if (!step.http.ignoresBody) await replies.expectRefused(step, { no_such_parameter: "1" });
		if (takesBody(step.http.method)) await replies.expectRefused(step, { no_such_parameter: "1" }, "query");
		const { method, needsKey = false } = step.http;
		if (knowing.has(`${method} ${needsKey}`)) return;
		knowing.add(`${method} ${needsKey}`);
		const changes = needsKey && method !== "GET";
		await replies.expectReply(step, { query: { api_key: changes ? await newKey(world.url) : roomyKey } });
	});

	// Each odd value of each: every-operation.long.test.ts.
	test("refuses what its schema refuses, by name", async () => {
		const parameters = parametersBesidePath(step);
		for (const value of oddValues) await replies.expectRefusedTogether(step, wrongs(parameters.filter(isNew), value));
		const known = parameters.filter((one) => !isNew(one));
		await replies.expectRefusedTogether(step, new Map(oddValues.flatMap((value) => [...wrongs(known, value)])));
		for (const [, schema] of parameters) tried.add(schema);
	});

	test("accepts the methods of its path, and no other", async () => {
		const declared = new Set<string>(
			walk.filter(({ http }) => http.path === step.http.path).map(({ http }) => http.method),
		);
		// A page for browsers, or a redirect to one, is at the same path.
		if (["/account", "/unsubscribe/{token}"].includes(step.http.path)) declared.add("GET");
		const allowed = [...declared, "OPTIONS", ...(declared.has("GET") ? ["HEAD"] : [])].sort();
		if (step.http.method === "GET") {
			const head = await replies.request(step, { method: "HEAD" });
			expect([head.status, await head.text()]).toEqual([step.name in refusedHere ? 403 : 200, ""]);
		}
		for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].filter((each) => !allowed.includes(each))) {
			const response = await replies.requestRefused(step, { method });
			expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, allowed.join(", ")]);
			const body = await response.text();
			if (method !== "HEAD")
				expect(JSON.parse(body)).toEqual(problem({ detail: expect.any(String), code: expect.any(String) }));
		}
	});
});

test("at most two operations, which sell credits, are refused in these tests", () => {
	expect(Object.keys(refusedHere).length).toBeLessThanOrEqual(2);
});

test.each([
	["/projects", "per_page", 1, 500],
	["/search?q=so", "per_page", 1, 500],
	["/changes", "per_page", 1, 500],
	["/changes", "since_days", 1, 90],
	["/changes/summary", "since_days", 1, 90],
	["/projects", "min_score", 0, 100],
	["/projects", "min_confidence", 0, 1],
])("%s accepts %s from %d to %d", async (path, parameter, least, most) => {
	const status = async (value: number) =>
		(await fetch(`${world.url}${path}${path.includes("?") ? "&" : "?"}${parameter}=${value}`)).status;
	expect(await Promise.all([least - 1, least, most, most + 1].map(status))).toEqual([422, 200, 200, 422]);
});

test("an unknown id or path is a 404 with a detail", async () => {
	for (const path of ["/no/such/path", "/projects/PJM-no-such-project"]) {
		const response = await fetch(world.url + path);
		expect([path, response.status]).toEqual([path, 404]);
		expect(await response.json()).toEqual(problem({ detail: expect.any(String), code: expect.any(String) }));
	}
});

test("every link of the manifest resolves", async () => {
	const { links } = operations.getManifest.reply.parse(await (await fetch(world.url)).json());
	const there = Object.values(links).filter((link) => link !== null);
	expect(there).toHaveLength(7);
	for (const link of there) expect((await fetch(new URL(link, world.url))).status).toBe(200);
});

test("an invalid query of a batch is named by its position and field", async () => {
	const queries = [{ q: "J1234" }, { q: "91,0" }, { q: "J1", state: "Texs" }, { q: "J1", sate: "TX" }, {}];
	const response = await fetch(`${world.url}/resolve`, {
		method: "POST",
		headers: { "content-type": "application/json", "x-api-key": roomyKey },
		body: JSON.stringify({ queries }),
	});
	expect(response.status).toBe(422);
	const { detail, errors } = (await response.json()) as { detail: string; errors: { loc: string[] }[] };
	expect(detail).toContain("queries.1.q: must have a latitude");
	expect(errors.map(({ loc }) => loc)).toEqual([
		["body", "queries", "1", "q"],
		["body", "queries", "2", "state"],
		["body", "queries", "3", "sate"],
		["body", "queries", "4", "q"],
	]);
});

test("a redistributable file is found by its hash", async () => {
	const { sha256 = "" } = examples.getFileBytes;
	const files = new Map([[sha256, runsOf(Buffer.from(await readArchivedBytes(world.sql, sha256)))]]);
	const response = await fetch(`${world.url}/files/${sha256}/bytes`, { headers: { "x-api-key": roomyKey } });
	expect(leaks(files, Buffer.from(await response.arrayBuffer()))).toEqual([sha256]);
});

// Each reply of the walk was searched for them (`judge`). Real lists: every-operation.long.test.ts.
test("no URL returns a raw file of an operator", async () => {
	expect(replies.rawFiles.size).toBeGreaterThan(8);
	await expectNoFileLeaves(world, replies.rawFiles, roomyKey);
	const statement = walk.find(({ name }) => name === "runQuery");
	if (statement === undefined) throw new Error("no operation runs statements");
	for (const sql of ["select * from raw_files", "select * from queue_ingest.raw_files"])
		expect((await replies.request(statement, { more: { sql } })).ok).toBe(false);
});
