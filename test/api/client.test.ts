/** `libs/client` as its users have it: packed, installed in an empty project, compiled with plain tsc, and run against the service. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSecret } from "#libs/contract/key.ts";
import type * as Package from "../../libs/client/src/index.ts";
import { openTill, type Till } from "../access/support/pay.ts";
import { openLists } from "../streams/support/lists.ts";
import { eventually } from "../support/eventually.ts";
import { gatewayProcess } from "../support/gateway-process.ts";
import { startWorld, type World } from "../support/world.ts";
import { hasBrowser } from "../web/browser.ts";
import { type ClientBrowser, headersOf, openClientBrowser } from "./support/client-browser.ts";
import { followCommand, type Installed, installClient } from "./support/installed-client.ts";
import { listen } from "./support/proxy.ts";
import { unlimitedKey } from "./support/walk.ts";

let world: World;
let till: Till;
let installed: Installed;
let client: typeof Package;
beforeAll(async () => {
	installed = await installClient();
	client = await import(pathToFileURL(join(installed.package, "dist/index.js")).href);
	world = await startWorld({ gateway: { CHALLENGES_PER_MINUTE: "3" } });
	await world.settled();
	till = await openTill({ pay: ["x402"] });
}, 300_000);
afterAll(async () => {
	await till?.[Symbol.asyncDispose]();
	await world?.[Symbol.asyncDispose]();
	installed?.[Symbol.dispose]();
});

test("the client has no dependency, needs no Node.js API, and is below 15 KB compressed", () => {
	const { dependencies } = JSON.parse(readFileSync(join(installed.package, "package.json"), "utf8"));
	expect(dependencies).toBeUndefined();
	const files = readdirSync(join(installed.package, "dist")).filter((name) => name.endsWith(".js"));
	const code = files.map((name) => readFileSync(join(installed.package, "dist", name), "utf8")).join("\n");
	expect(code).not.toMatch(/node:|process\./);
	expect(gzipSync(code).length).toBeLessThan(15_000);
});

const patience = { withinMs: 60_000, everyMs: 100 };

const program = `
import { createClient } from "energy-infrastructure-data";
const data = createClient({ baseUrl: process.argv[2] ?? "" });
const ids: string[] = [];
for await (const { id } of data.rows("listProjects", { per_page: 50 })) ids.push(id);
const seqs: number[] = [];
for await (const { seq } of data.feed({ after: 0, per_page: 7 })) seqs.push(seq);
console.log(JSON.stringify({ ids, seqs, total: (await data.getStats()).data.total_projects }));
`;
const mistakes = `
import { createClient, type Reply, type Row } from "energy-infrastructure-data";
const data = createClient({ baseUrl: "" });
export const capacity: number | null = ({} as Reply<"getProject">).capacity_mw;
export const developer: number = ({} as Row<"listDevelopers">).developer_id;
// @ts-expect-error one request is no list
export type NoRow = Row<"getProject">;
// @ts-expect-error there is no such operation
await data.listProject();
// @ts-expect-error project_id is needed
await data.getProject({});
// @ts-expect-error project_id is needed
await data.getProject();
// @ts-expect-error it is called project_id
await data.getProject({ project: "miso-J1234" });
// @ts-expect-error watchlist_id is needed
data.rows("listWatchlistChanges");
// @ts-expect-error a statement is needed
await data.runQuery();
// @ts-expect-error a number
await data.listProjects({ per_page: "many" });
// @ts-expect-error asc or desc
await data.listProjects({ order: "up" });
`;

function compile(programs: Record<string, string>) {
	const files = Object.entries({ ...programs, "globals.d.ts": "declare const process: { argv: string[] };" });
	for (const [name, text] of files) writeFileSync(join(installed.folder, name), text);
	const options = ["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2024,dom,dom.iterable"];
	const compiled = installed.run("tsc", ...options, "--types", "", ...files.map(([name]) => name));
	expect(compiled.stdout + compiled.stderr).toBe("");
}

test("six lines compile with tsc, read all requests and the feed to its end; mistakes do not compile", async () => {
	compile({ "program.ts": program, "mistakes.ts": mistakes });
	// The service is in this process: it must go on answering.
	const stdout = await installed.ask(process.execPath, "program.js", world.url);
	const printed = JSON.parse(stdout) as { ids: string[]; seqs: number[]; total: number };
	expect(printed.ids).toEqual((await idsOf(`${world.url}/projects?per_page=500`)).sort());
	expect(printed.total).toBe(printed.ids.length);
	expect(printed.seqs).toEqual(await seqsOf(world.url));
});

const follower = `
import { createClient } from "energy-infrastructure-data";
const data = createClient({ baseUrl: process.argv[2] ?? "" });
const ids: string[] = [];
for await (const { id } of data.rows("listProjects")) ids.push(id);
for await (const { seq } of data.feed({ after: 0, per_page: 3 }, { everyMs: 20 })) console.log(seq);
`;

test("six lines follow the feed while the gateway is killed and restarted: each change once, in order, none lost", {
	tags: ["campaign"],
	timeout: 180_000,
}, async () => {
	compile({ "follower.ts": follower });
	await using gateway = await gatewayProcess({
		nats: world.nats,
		isReady: async (url) => (await fetch(`${url}/health`)).ok,
	});
	await gateway.start();
	const lists = await openLists(world, world.clock.now.toISOString());
	await lists.next(["J1001", "J1002"]);
	using following = followCommand(installed, [process.execPath, "follower.js", gateway.url]);
	const fed = () => following.lines().map(Number);
	const stop = new AbortController();
	const streamed: number[] = [];
	const streaming = (async () => {
		const data = client.createClient({ baseUrl: gateway.url });
		for await (const { id } of data.events("streamChanges", { after: 0 }, { signal: stop.signal }))
			streamed.push(Number(id));
	})().catch((error: unknown) => error);
	const arrived = () =>
		eventually(async () => {
			const wanted = await seqsOf(world.url);
			expect([fed(), following.err()]).toEqual([wanted, ""]);
			expect(streamed).toEqual(wanted);
			return wanted;
		}, patience);
	const before = await arrived();
	// The gateway is killed in the middle of a list, and of the feed.
	const patient = client.createClient({ baseUrl: gateway.url, attempts: 8 });
	const walked: string[] = [];
	let starting: Promise<void> | undefined;
	for await (const { id } of patient.rows("listProjects", { per_page: 10 })) {
		if (walked.push(id) !== 15) continue;
		await gateway.kill();
		starting = gateway.start();
	}
	await starting;
	expect(walked.toSorted()).toEqual((await idsOf(`${world.url}/projects?per_page=500`)).toSorted());
	await gateway.kill();
	await lists.next(["J1001", "J1003", "J1004"]);
	const newest = await lists.newest();
	expect(fed()).toEqual(before);
	await gateway.start();
	await lists.next(["J1002"]);
	const after = await arrived();
	expect(after.length).toBeGreaterThan(before.length + 3);
	expect(after.at(-1)).toBeGreaterThan(newest);
	stop.abort(new Error("enough"));
	expect(await streaming).toMatchObject({ message: "enough" });
});

test("an error has the service's code, message and fields; an abort throws its reason; a path without an id is an error", async () => {
	const data = client.createClient({ baseUrl: world.url });
	const wrong = (await data.listProjects({ per_page: 501 }).catch((error: unknown) => error)) as Package.ApiError;
	expect(wrong).toBeInstanceOf(client.ApiError);
	expect(wrong).toMatchObject({ status: 422, code: "invalid_parameters", errors: [{ loc: ["query", "per_page"] }] });
	expect(wrong.requestId).toMatch(/./);
	await expect(data.getProject({ project_id: "PJM-ZZ9/999" })).rejects.toMatchObject({
		status: 404,
		code: "not_found",
	});
	const signal = AbortSignal.abort(new Error("enough"));
	await expect(data.getStats({}, { signal })).rejects.toThrow("enough");
	await expect(data.getProject({ project_id: "" })).rejects.toThrow("project_id is required");
	const csv = await (await data.response("exportProjects", { limit: 2, format: "csv" })).text();
	expect(csv.split("\n")).toHaveLength(4);
});

test("the given signer pays for calls, up to the cap", async () => {
	await till.reset();
	const payment = { maxUsd: 0.025, sign: async () => (await till.x402("/projects")) as Record<string, string> };
	const data = client.createClient({ baseUrl: till.gateways.url, payment });
	// Two at once: the second waits for what the first leaves.
	await Promise.all([data.listProjects(), data.listProjects({ per_page: 2 })]);
	expect(data.spentUsd).toBeCloseTo(0.02);
	await expect(data.listProjects({ per_page: 3 })).rejects.toThrow(client.SpendCapError);
	expect((await till.account()).charged).toEqual({ x402: 20_000 });
});

test("a payment for a refused call is returned to the cap, unless it may still be charged", async () => {
	await till.reset();
	const { faults } = till.gateways.payments.facilitator;
	const payment = { maxUsd: 1, sign: async () => (await till.x402("/projects")) as Record<string, string> };
	const data = client.createClient({ baseUrl: till.gateways.url, payment });
	faults.settle.push("refuse");
	await expect(data.listProjects()).rejects.toMatchObject({ status: 402 });
	expect(data.spentUsd).toBe(0);
	faults.settle.push("lost");
	faults.rpc.push(...Array<"drop">(100).fill("drop"));
	await expect(data.listProjects()).rejects.toMatchObject({ status: 503 });
	expect(data.spentUsd).toBeCloseTo(0.01);
	faults.rpc.length = 0;
	await till.reconcile();
	expect((await till.account()).charged).toEqual({ x402: 10_000 });
});

test("a redirect is an error, and the key is sent to no other host", async () => {
	const seen: unknown[] = [];
	await using elsewhere = await listen((request, answer) => {
		seen.push(request.headers);
		answer.end("{}");
	});
	let requests = 0;
	await using moved = await listen((_asked, answer) => {
		requests++;
		answer.writeHead(307, { location: `${elsewhere.url}/projects` }).end();
	});
	const data = client.createClient({ baseUrl: moved.url, key: "pk_secret" });
	const wrong = data.listProjects();
	await expect(wrong).rejects.toMatchObject({ name: "ApiError", status: 307, code: "redirected" });
	await expect(wrong).rejects.toThrow(`redirects to ${elsewhere.url}/projects`);
	await expect(data.events("streamChanges").next()).rejects.toMatchObject({ code: "redirected" });
	expect(requests).toBe(2);
	expect(seen).toEqual([]);
});

test("a webhook message is accepted only with a valid standardwebhooks signature", async () => {
	const { verifyWebhook } = client;
	const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
	const other = `whsec_${Buffer.alloc(24, 8).toString("base64")}`;
	const now = new Date();
	const body = JSON.stringify({ type: "webhook.test", timestamp: now.toISOString(), data: { webhook_id: 3 } });
	const headers = new Headers({
		"webhook-id": "msg_1",
		"webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
		"webhook-signature": `v1,AAAA ${new Webhook(secret).sign("msg_1", now, body)}`,
	});
	expect(await verifyWebhook(body, headers, [other, secret])).toEqual(JSON.parse(body));
	await expect(verifyWebhook(`${body} `, headers, secret)).rejects.toThrow("no signature");
	await expect(verifyWebhook(body, headers, other)).rejects.toThrow("no signature");
	const late = { now: new Date(now.getTime() + 400_000) };
	await expect(verifyWebhook(body, headers, secret, late)).rejects.toThrow("differs by more than 300 s");
	await expect(verifyWebhook(body, {}, secret)).rejects.toThrow("webhook-id is missing");
});

describe.skipIf(!hasBrowser)("in Chromium, from another origin, with unmodified files", () => {
	let browser: ClientBrowser;
	beforeAll(async () => {
		browser = await openClientBrowser(installed.package);
	});
	afterAll(() => browser?.[Symbol.asyncDispose]());

	const paths = ["/projects?per_page=2", "/stats", "/export/projects.csv", "/changes/stream", "/nope", "/register"];

	// Unknown keys block their address for a minute, from which new keys are asked with, too: last.
	test.each(["worker", "page"] as const)(
		"a %s reads all requests, the feed, a stream, and every header",
		async (where) => {
			const wanted = await seqsOf(world.url);
			const key = await unlimitedKey(world);
			const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
			const now = new Date();
			const body = JSON.stringify({ type: "webhook.test", data: { webhook_id: 3 } });
			const headers = {
				"webhook-id": "msg_1",
				"webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
				"webhook-signature": new Webhook(secret).sign("msg_1", now, body),
			};
			const unknownKeys = Array.from({ length: where === "page" ? 10 : 0 }, () => makeSecret("pk_"));
			const options = {
				url: world.url,
				key,
				unknownKeys,
				changes: wanted.length,
				paths,
				webhook: { body, headers, secret },
			};
			const sent = await headersOf(world.url, paths, key);
			const found = await browser.runIn(where, options);
			expect(found.scope).toBe(where === "page" ? "Window" : "DedicatedWorkerGlobalScope");
			expect(found.ids.toSorted()).toEqual((await idsOf(`${world.url}/projects?per_page=500`)).toSorted());
			expect(found.seqs).toEqual(wanted);
			expect(found.streamed.map(Number)).toEqual(wanted);
			expect(found.refused).toMatchObject({ status: 422, code: "invalid_parameters", requestId: expect.any(String) });
			if (where === "page") expect(found.tooMany).toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) });
			expect([found.message, found.forged]).toEqual([JSON.parse(body), "no signature matches the secret"]);
			for (const path of paths)
				expect([path, found.headers[path]]).toEqual([path, expect.arrayContaining(sent[path] ?? [])]);
		},
	);

	test("a page pays and can read the offer and the receipt", async () => {
		await till.reset();
		const offers: (string | null)[] = [];
		const paid = await browser.pay(till.gateways.url, async (offered) => {
			offers.push(offered);
			return (await till.x402("/projects")) as Record<string, string>;
		});
		expect(offers).toEqual([expect.stringMatching(/./)]);
		expect(paid).toMatchObject({ spentUsd: 0.01, receipt: expect.stringMatching(/./) });
		expect((await till.account()).charged).toEqual({ x402: 10_000 });
	});
});

const read = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T;
const idsOf = async (url: string) => (await read<{ data: { id: string }[] }>(url)).data.map(({ id }) => id);
const seqsOf = async (base: string) =>
	(await read<{ data: { seq: number }[] }>(`${base}/changes?after=0&per_page=500`)).data.map(({ seq }) => seq);
