/** Walks the registry: what is declared is answered, and what is not is refused. A new operation only needs a line in `examples`. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { operations } from "#libs/contract/index.ts";
import { digestOf, hintOf, makeSecret } from "#libs/contract/key.ts";
import { takesBody } from "#libs/contract/operation.ts";
import { changePlan } from "../../services/billing/domain/accounts.ts";
import { pathParameters } from "../../services/gateway/registry/bindings.ts";
import { archivedBytes } from "../../services/queue-ingest/provenance/read-rows.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { sources } from "../../services/queue-ingest/queues/sources/index.ts";
import { hasRealData, realData } from "../faults/real-lists.ts";
import { archiveToday } from "../support/archive.ts";
import { archivedFile } from "../support/archived-file.ts";
import { problem } from "../support/problem.ts";
import { aReceipt } from "../support/receipt.ts";
import { startWorld, type World } from "../support/world.ts";
import {
	type Asking,
	aDispute,
	along,
	ask,
	examples,
	type HttpOperationName,
	newAddress,
	newKey,
	ownThings,
	type Step,
	walk,
} from "./support/walk.ts";

/** What cannot succeed where no card is taken, and why it says so. This list may only become shorter. */
const refusedHere: Partial<Record<HttpOperationName, string>> = {
	buyCredits: "credits are not sold here",
	startCheckout: "credits are not sold here",
};

/** Parameters whose values must name something that exists, or no one yet: other tests try them. */
const naming: Partial<Record<HttpOperationName, string[]>> = {
	createSavedQuery: ["sql", "parameters"],
	changeSavedQuery: ["sql", "parameters"],
	createWatchlist: ["filters"],
	createWebhook: ["url", "filters", "watchlist_id", "after"],
	calculateTaxCredits: ["county", "tract", "construction_start"],
	compareDays: ["from", "to"],
	exportChanges: ["after", "at_seq"],
	exportScores: ["at_seq"],
	getScoresExportManifest: ["at_seq"],
	summariseChanges: ["at_seq"],
	exportProjects: ["after_seq", "at_seq"],
	getCapitalLeaderboard: ["tier", "exclude_tiers"],
	getChangesExportManifest: ["after", "at_seq"],
	getExportManifest: ["after_seq", "at_seq"],
	getProject: ["at_seq"],
	getStats: ["at_seq"],
	groupProjects: ["at_seq"],
	listDeveloperProjects: ["at_seq"],
	listProjects: ["at_seq"],
	exportDevelopers: ["at_seq"],
	getDevelopersExportManifest: ["at_seq"],
	getDeveloperStats: ["at_seq"],
	getDeveloper: ["at_seq"],
	listChanges: ["at_seq"],
	listDevelopers: ["at_seq"],
	listInvestable: ["at_seq"],
	listItcDeals: ["at_seq"],
	search: ["at_seq"],
	searchDevelopers: ["at_seq"],
	validate: ["at_seq"],
	verifyValue: ["project_id", "region", "as_of", "at_seq"],
	summariseMilestones: ["at_seq"],
	openDispute: ["about", "project_id", "field", "as_of", "developer_id", "identifier", "proposed", "reason"],
	getQuery: ["sql", "format"],
	getUsage: ["format"],
	register: ["email"],
	quote: ["operation", "params"],
	resolveMany: ["queries"],
	runQuery: ["sql"],
	runSavedQuery: ["format", "values"],
	streamChanges: ["after"],
	streamEvents: ["after"],
	streamScores: ["after"],
};

let world: World;
/** Of an account without limits. */
let roomyKey: string;
/** Of prepaid credits without a balance. */
const credits = makeSecret("cr_");
beforeAll(async () => {
	world = await startWorld({ query: true, gateway: { REGISTRATIONS_PER_HOUR: "1000000" } });
	await world.settled();
	await world.extracted();
	examples.getArchiveFile = await archiveToday(world);
	const { data } = z
		.object({ data: z.array(z.object({ id: z.string() })) })
		.parse(await (await fetch(`${world.url}/projects?per_page=1`)).json());
	for (const name of [
		"getProject",
		"getOwnership",
		"getScore",
		"getScoreHistory",
		"getProjectTaxCredit",
		"listProjectChanges",
		"getProjectHistory",
		"getProjectProvenance",
		"verifyValue",
	] as const)
		examples[name].project_id = data[0]?.id ?? "there is no project";
	examples.getFile = { sha256: await archivedFile(world.sql, "miso") };
	examples.getFileBytes = { sha256: await archivedFile(world.sql, "eia860") };
	await aDispute(world.url);
	examples.getReceipt = { receipt_id: await aReceipt(world.billingSql) };
	await world.billingSql`insert into credits (sha256, hint) values (${digestOf(credits)}, ${hintOf(credits)})`;
	const email = newAddress();
	roomyKey = await newKey(world.url, email);
	const terms = { plan: "Enterprise", monthlyQueries: null, perMinute: null } as const;
	await world.billingSql.begin((tx) => changePlan(tx, { email }, terms, world.clock.now));
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** What changes a key gets one of its own. */
async function keyFor({ http }: Step): Promise<string | undefined> {
	if (!http.needsKey) return undefined;
	return http.method === "GET" ? roomyKey : newKey(world.url);
}

/** By key. */
const things = new Map<string, Promise<Record<string, string>>>();

/** The account's own, for a path that names it. */
async function ownOf({ http }: Step, key: string | undefined): Promise<Record<string, string>> {
	const names = pathParameters(http.path).filter((name) => /^(query|webhook|watchlist|delivery)_id$/.test(name));
	if (names.length === 0 || key === undefined) return {};
	const made = things.get(key) ?? ownThings(world.url, key);
	things.set(key, made);
	const own = await made;
	return Object.fromEntries(names.map((name) => [name, own[name] ?? ""]));
}

async function asked(step: Step, asking: Asking = {}): Promise<Response> {
	const key = asking.query?.api_key ?? (await keyFor(step));
	const more = { ...(await ownOf(step, key)), ...asking.more };
	const token = step.http.credential === "credits" ? credits : undefined;
	return ask(world.url, step, {
		credits: token,
		key: asking.query?.api_key === undefined ? key : undefined,
		...asking,
		more,
	});
}

/** A reply of the operation: parsed against its schema, which knows no further fields. Or the refusal that it has to give here. */
async function expectReply(step: Step, asking: Asking = {}): Promise<void> {
	const response = await asked(step, asking);
	const body = await response.text();
	const what = `${step.name} ${JSON.stringify(asking.more ?? {})}`;
	const reason = refusedHere[step.name];
	if (reason !== undefined) {
		expect([what, response.status]).toEqual([what, 403]);
		expect(JSON.parse(body)).toEqual(problem({ detail: expect.stringContaining(reason), code: expect.any(String) }));
		return;
	}
	expect([what, response.status, response.ok ? "" : body]).toEqual([what, 200, ""]);
	const { mediaType, mediaTypes, reply } = step.operation;
	const expected = mediaTypes?.[asking.more?.format ?? ""] ?? mediaType;
	expect(response.headers.get("content-type")).toBe(expected ?? "application/json; charset=utf-8");
	const parsed = reply.safeParse(mediaType === undefined ? JSON.parse(body) : body);
	expect(parsed.error?.issues, what).toBeUndefined();
	if (mediaType === undefined) expect([what, floatNoise(JSON.parse(body))]).toEqual([what, []]);
}

/** Sums that were not rounded: 300.59999999999997. No source states a number in so many digits. */
function floatNoise(value: unknown, path = ""): string[] {
	if (typeof value === "number")
		return !Number.isInteger(value) && Number(value.toPrecision(14)) !== value ? [`${path} ${value}`] : [];
	return typeof value === "object" && value !== null
		? Object.entries(value).flatMap(([name, each]) => floatNoise(each, `${path}.${name}`))
		: [];
}

const refusal = z.strictObject({
	type: z.literal("/docs#error-invalid_parameters"),
	title: z.literal("Invalid parameters"),
	status: z.literal(422),
	request_id: z.string().min(1),
	detail: z.string().min(1),
	code: z.literal("invalid_parameters"),
	errors: z.array(
		z.strictObject({ loc: z.tuple([z.enum(["query", "path", "body"]), z.string()]), msg: z.string().min(1) }),
	),
});

/** Where a parameter of the operation stands that is not in its path. */
const placeOf = ({ http }: Step) => (takesBody(http.method) ? "body" : "query");

async function expectRefusal(step: Step, place: "query" | "body", parameter: string, value: string): Promise<void> {
	const given = { [parameter]: value };
	const response = await asked(step, place === placeOf(step) ? { more: given } : { query: given });
	expect([parameter, value, response.status]).toEqual([parameter, value, 422]);
	const { detail, errors } = refusal.parse(await response.json());
	expect(detail).toContain(parameter);
	expect(errors.map(({ loc }) => loc)).toContainEqual([place, parameter]);
}

/** Values of a parameter as it is documented: all of an enumeration, both ends of a range. */
function documentedValues(schema: z.ZodType): string[] {
	const whole = z.toJSONSchema(schema);
	// Of what may be null: what else it may be.
	const described = (whole.anyOf?.find(({ type }) => type !== "null") ?? whole) as Described;
	const { type, examples, items } = described;
	if (type !== "array" || examples !== undefined || typeof items !== "object" || Array.isArray(items))
		return valuesOf(described);
	const single = valuesOf(items as Described);
	return [
		...single,
		single
			.filter((value) => !value.includes(","))
			.slice(0, 3)
			.join(","),
	];
}

type Described = z.core.JSONSchema.BaseSchema;

function valuesOf(described: Described): string[] {
	const { type, enum: words, examples, minimum, maximum, format, minLength = 0, maxLength } = described;
	// Of a text that follows a pattern.
	if (examples !== undefined) return examples.map(String);
	if (words !== undefined) return words.map(String);
	if (type === "boolean") return ["true", "false"];
	if (type === "integer" || type === "number") return [String(minimum), String(maximum)];
	if (format === "date") return ["2024-02-29"];
	return maxLength === 2 ? ["TX"] : ["Sol", "50%_'\"\\;--", "é".repeat(maxLength ?? minLength)];
}

const oddValues = ["", " ", "\u0000", "-1", "0", "1e9", "0x10", "NaN", "2024-02-30", "nonsense", "x".repeat(300)];

describe.each(walk)("$name", (step) => {
	const inPath = pathParameters(step.http.path);
	const besides = Object.entries(step.operation.params.shape).filter(([name]) => !inPath.includes(name));
	// Where the path names one thing, a parameter may rule that thing out. A row with some of its fields is no whole one (fields.test.ts).
	const choosing =
		inPath.length === 0 ? besides.filter(([name]) => name !== "fields" && !naming[step.name]?.includes(name)) : [];

	test("answers its example as declared", () => expectReply(step));

	test("answers every documented value of every parameter", async () => {
		for (const [name, schema] of choosing)
			for (const value of documentedValues(schema)) {
				const company = Object.entries(along(step, name, value)).filter(
					([each]) => each in step.operation.params.shape,
				);
				await expectReply(step, { more: { ...Object.fromEntries(company), [name]: value } });
			}
	});

	test("refuses an unknown parameter by name, and knows api_key", async () => {
		await expectRefusal(step, placeOf(step), "no_such_parameter", "1");
		await expectRefusal(step, "query", "no_such_parameter", "1");
		await expectReply(step, { query: { api_key: (await keyFor(step)) ?? roomyKey } });
	});

	test("refuses what its schema refuses, by name", async () => {
		for (const [name, schema] of besides)
			for (const value of oddValues)
				if (!schema.safeParse(value).success) await expectRefusal(step, placeOf(step), name, value);
	});

	test("answers the methods of its path, and no other", async () => {
		const declared = new Set<string>(
			walk.filter(({ http }) => http.path === step.http.path).map(({ http }) => http.method),
		);
		const allowed = [...declared, "OPTIONS", ...(declared.has("GET") ? ["HEAD"] : [])].sort();
		if (step.http.method === "GET") {
			const head = await asked(step, { method: "HEAD" });
			expect([head.status, await head.text()]).toEqual([step.name in refusedHere ? 403 : 200, ""]);
		}
		for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].filter((each) => !allowed.includes(each))) {
			const response = await asked(step, { method });
			expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, allowed.join(", ")]);
			const body = await response.text();
			if (method !== "HEAD")
				expect(JSON.parse(body)).toEqual(problem({ detail: expect.any(String), code: expect.any(String) }));
		}
	});
});

test("no more is refused here than two operations that sell credits", () => {
	expect(Object.keys(refusedHere).length).toBeLessThanOrEqual(2);
});

/** Specification 4.2 and 8. */
test.each([
	["/projects", "per_page", 1, 500],
	["/search?q=so", "per_page", 1, 500],
	["/changes", "per_page", 1, 500],
	["/changes", "since_days", 1, 90],
	["/changes/summary", "since_days", 1, 90],
	["/projects", "min_score", 0, 100],
	["/projects", "min_confidence", 0, 1],
])("%s takes %s from %d to %d", async (path, parameter, least, most) => {
	const status = async (value: number) =>
		(await fetch(`${world.url}${path}${path.includes("?") ? "&" : "?"}${parameter}=${value}`)).status;
	expect(await Promise.all([least - 1, least, most, most + 1].map(status))).toEqual([422, 200, 200, 422]);
});

test("what is not there is a 404 with a detail", async () => {
	for (const path of ["/no/such/path", "/projects/PJM-no-such-project"]) {
		const response = await fetch(world.url + path);
		expect([path, response.status]).toEqual([path, 404]);
		expect(await response.json()).toEqual(problem({ detail: expect.any(String), code: expect.any(String) }));
	}
});

test("every link of the manifest leads somewhere", async () => {
	const { links } = operations.getManifest.reply.parse(await (await fetch(world.url)).json());
	const there = Object.values(links).filter((link) => link !== null);
	expect(there).toHaveLength(7);
	for (const link of there) expect((await fetch(new URL(link, world.url))).status).toBe(200);
});

test("a query of many that is wrong is named by its place and field", async () => {
	const queries = [{ q: "J1234" }, { q: "91,0" }, { q: "J1", state: "Texas" }, { q: "J1", sate: "TX" }, {}];
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

/** Runs of a file's bytes by which it is known wherever it stands: as it is, within a text of JSON, or in base64. */
function runsOf(bytes: Buffer): Buffer[] {
	const length = Math.min(200, bytes.length);
	const starts = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.floor(share * (bytes.length - length)));
	const plain = starts.map((at) => bytes.subarray(at, at + length));
	const quoted = plain.map((run) => Buffer.from(JSON.stringify(run.toString()).slice(1, -1)));
	return [...plain, ...quoted, Buffer.from(bytes.subarray(0, 198).toString("base64"))];
}

/** Every page and what it loads. */
async function pagesOf(base: string): Promise<Buffer[]> {
	const headers = { accept: "text/html" };
	const paths = ["/", "/explore", "/changes", "/scores", "/sql", "/status", "/reconciliation", "/docs", "/dispute"];
	const found: Buffer[] = [];
	const loaded = new Set<string>();
	for (const path of paths) {
		const text = await (await fetch(base + path, { headers })).text();
		found.push(Buffer.from(text));
		for (const [, link = ""] of text.matchAll(/(?:src|href)="(\/[^"]*)"/g)) loaded.add(link);
	}
	for (const link of loaded) found.push(Buffer.from(await (await fetch(base + link)).arrayBuffer()));
	return found;
}

const realLists = [
	["PJM", "pjm/2026-06-29/raw_pjm_cycle_transition.csv"],
	["NYISO", "nyiso/2025-01-09/NYISO-Interconnection-Queue.xlsx"],
] as const;
if (!hasRealData) console.warn("Skipped: operators' real lists among the files that may not leave (REAL_DATA_DIR).");

/** Asks every address with the operators' lists that are archived now. Answers how many they are. */
async function expectNoLeak(): Promise<number> {
	const feeds = sources.filter(({ region }) => region !== null).map(({ feed }) => feed);
	const lists = await world.sql<{ sha256: string }[]>`
		select distinct sha256 from snapshot_files where feed in ${world.sql(feeds)}`;
	const kept = new Map<string, Buffer[]>();
	// Workbooks of one program begin alike: what a file that may be passed on has too tells no list.
	const open = (await sharedFiles()).map((bytes) => bytes.toString("latin1"));
	for (const { sha256 } of lists) {
		const runs = runsOf(Buffer.from(await archivedBytes(world.sql, sha256)));
		const own = runs.filter((run) => !open.some((bytes) => bytes.includes(run.toString("latin1"))));
		expect([sha256, own.length > runs.length / 2]).toEqual([sha256, true]);
		kept.set(sha256, own);
	}
	for (const step of walk) {
		expect([step.name, leaks(kept, await bodyOf(asked(step)))]).toEqual([step.name, []]);
		for (const format of "format" in step.operation.params.shape ? ["csv", "parquet"] : [])
			expect([step.name, leaks(kept, await bodyOf(asked(step, { more: { format } })))]).toEqual([step.name, []]);
	}
	for (const page of await pagesOf(world.url)) expect(leaks(kept, page)).toEqual([]);
	const headers = { "x-api-key": roomyKey };
	for (const { sha256 } of lists) {
		const known = await fetch(`${world.url}/files/${sha256}`, { headers });
		expect([known.status, leaks(kept, Buffer.from(await known.arrayBuffer()))]).toEqual([200, []]);
		const bytes = await fetch(`${world.url}/files/${sha256}/bytes`, { headers });
		expect([bytes.status, leaks(kept, Buffer.from(await bytes.arrayBuffer()))]).toEqual([403, []]);
	}
	const statement = walk.find(({ name }) => name === "runQuery");
	if (statement === undefined) throw new Error("no operation runs statements");
	for (const sql of ["select * from raw_files", "select * from queue_ingest.raw_files"])
		expect((await asked(statement, { more: { sql } })).ok).toBe(false);
	return lists.length;
}

/** Archived files of the feed whose bytes the walk asks for. */
async function sharedFiles(): Promise<Buffer[]> {
	const files = await world.sql<{ sha256: string }[]>`
		select distinct f.sha256 from snapshot_files f join raw_files using (sha256) where f.feed = 'eia860'`;
	return Promise.all(files.map(async ({ sha256 }) => Buffer.from(await archivedBytes(world.sql, sha256))));
}

const bodyOf = async (answer: Promise<Response>) => Buffer.from(await (await answer).arrayBuffer());

const leaks = (kept: Map<string, Buffer[]>, body: Buffer): string[] =>
	[...kept].flatMap(([sha256, runs]) =>
		hash("sha256", body, "hex") === sha256 || runs.some((run) => body.includes(run)) ? [sha256] : [],
	);

test("a file that may be passed on is found by its bytes", async () => {
	const { sha256 = "" } = examples.getFileBytes;
	const kept = new Map([[sha256, runsOf(Buffer.from(await archivedBytes(world.sql, sha256)))]]);
	const answer = fetch(`${world.url}/files/${sha256}/bytes`, { headers: { "x-api-key": roomyKey } });
	expect(leaks(kept, await bodyOf(answer))).toEqual([sha256]);
});

test("no raw file of an operator leaves through any address", async () => {
	expect(await expectNoLeak()).toBeGreaterThan(8);
	// The first real list takes the sample's place: the last test of this file.
	for (const [region, path] of hasRealData ? realLists : []) {
		const files = [{ name: path, path, bytes: readFileSync(join(realData, path)) }];
		const asOf = world.clock.now.toISOString();
		const { outcome } = await ingestSnapshot(world.sql, { region, files, asOf, accept: true });
		expect([region, outcome]).toEqual([region, "applied"]);
	}
	if (hasRealData) expect(await expectNoLeak()).toBe(realLists.length);
}, 240_000);
