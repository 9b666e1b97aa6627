/** `libs/client` as its users have it: packed, installed in an empty project, compiled with plain tsc, and run against the service. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import type * as Package from "../../libs/client/src/index.ts";
import { openTill } from "../access/support/pay.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Installed, installClient } from "./support/installed-client.ts";
import { listen, startProxy } from "./support/proxy.ts";

let world: World;
let installed: Installed;
let client: typeof Package;
beforeAll(async () => {
	installed = await installClient();
	client = await import(pathToFileURL(join(installed.package, "dist/index.js")).href);
	world = await startWorld();
	await world.settled();
}, 300_000);
afterAll(async () => {
	await world?.[Symbol.asyncDispose]();
	installed?.[Symbol.dispose]();
});

test("it has no dependency, nothing of Node.js alone, and is less than 15 KB compressed", () => {
	const { dependencies } = JSON.parse(readFileSync(join(installed.package, "package.json"), "utf8"));
	expect(dependencies).toBeUndefined();
	const files = readdirSync(join(installed.package, "dist")).filter((name) => name.endsWith(".js"));
	const code = files.map((name) => readFileSync(join(installed.package, "dist", name), "utf8")).join("\n");
	expect(code).not.toMatch(/node:|process\./);
	expect(gzipSync(code).length).toBeLessThan(15_000);
});

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
import { createClient, type Reply } from "energy-infrastructure-data";
const data = createClient({ baseUrl: "" });
export const capacity: number | null = ({} as Reply<"getProject">).capacity_mw;
// @ts-expect-error there is no such operation
await data.listProject();
// @ts-expect-error project_id is needed
await data.getProject({});
// @ts-expect-error a number
await data.listProjects({ per_page: "many" });
// @ts-expect-error asc or desc
await data.listProjects({ order: "up" });
`;

test("six lines compile with plain tsc, walk all requests and read the feed to its end; mistakes do not compile", async () => {
	writeFileSync(join(installed.folder, "program.ts"), program);
	writeFileSync(join(installed.folder, "mistakes.ts"), mistakes);
	writeFileSync(join(installed.folder, "globals.d.ts"), "declare const process: { argv: string[] };");
	const options = [
		"--strict",
		"--module",
		"nodenext",
		"--target",
		"es2022",
		"--types",
		"",
		"--lib",
		"es2024,dom,dom.iterable",
	];
	const compiled = installed.run("tsc", ...options, "program.ts", "mistakes.ts", "globals.d.ts");
	expect(compiled.stdout + compiled.stderr).toBe("");
	// The service is in this process: it must go on answering.
	const stdout = await installed.ask(process.execPath, "program.js", world.url);
	const said = JSON.parse(stdout) as { ids: string[]; seqs: number[]; total: number };
	expect(said.ids).toEqual((await idsOf(`${world.url}/projects?per_page=500`)).sort());
	expect(said.total).toBe(said.ids.length);
	expect(said.seqs).toEqual(await seqsOf(world.url));
});

test("the feed and the stream go on past a server that is away for a while, each change once and in order", async () => {
	await using proxy = await startProxy(world.url);
	const data = client.createClient({ baseUrl: proxy.url });
	const wanted = await seqsOf(world.url);
	expect(wanted.length).toBeGreaterThan(4);
	const fed: number[] = [];
	for await (const { seq } of data.feed({ after: 0, per_page: 2 })) {
		fed.push(seq);
		if (fed.length === 3) await proxy.restart();
	}
	expect(fed).toEqual(wanted);
	const stop = new AbortController();
	const streamed: string[] = [];
	for await (const { id } of data.events("streamChanges", { after: 0 }, { signal: stop.signal })) {
		streamed.push(id);
		if (streamed.length === 3) await proxy.restart();
		if (streamed.length === wanted.length) break;
	}
	expect(streamed.map(Number)).toEqual(wanted);
	expect(proxy.refused()).toBeGreaterThan(0);
});

test("an error has the service's code, sentence and fields; an abort is its reason; a path without its id is a mistake", async () => {
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

test("calls are paid for by the signer that is given, up to the cap and no further", async () => {
	await using till = await openTill({ pay: ["x402"] });
	const payment = { maxUsd: 0.025, sign: async () => (await till.x402("/projects")) as Record<string, string> };
	const data = client.createClient({ baseUrl: till.gateways.url, payment });
	// Two at once: the second waits for what the first leaves.
	await Promise.all([data.listProjects(), data.listProjects({ per_page: 2 })]);
	expect(data.spentUsd).toBeCloseTo(0.02);
	await expect(data.listProjects({ per_page: 3 })).rejects.toThrow(client.SpendCapError);
	expect((await till.account()).charged).toEqual({ x402: 20_000 });
});

test("a payment whose call is refused is given back to the cap; one that may be charged yet is not", async () => {
	await using till = await openTill({ pay: ["x402"] });
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

test("a redirect is an error, and the key goes to no other host", async () => {
	const seen: unknown[] = [];
	await using elsewhere = await listen((asked, answer) => {
		seen.push(asked.headers);
		answer.end("{}");
	});
	let asked = 0;
	await using moved = await listen((_asked, answer) => {
		asked++;
		answer.writeHead(307, { location: `${elsewhere.url}/projects` }).end();
	});
	const data = client.createClient({ baseUrl: moved.url, key: "pk_secret" });
	const wrong = data.listProjects();
	await expect(wrong).rejects.toMatchObject({ name: "ApiError", status: 307, code: "redirected" });
	await expect(wrong).rejects.toThrow(`redirects to ${elsewhere.url}/projects`);
	await expect(data.events("streamChanges").next()).rejects.toMatchObject({ code: "redirected" });
	expect(asked).toBe(2);
	expect(seen).toEqual([]);
});

test("a webhook's message is taken as standardwebhooks signs it, and nothing else", async () => {
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

const read = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T;
const idsOf = async (url: string) => (await read<{ data: { id: string }[] }>(url)).data.map(({ id }) => id);
const seqsOf = async (base: string) =>
	(await read<{ data: { seq: number }[] }>(`${base}/changes?after=0&per_page=500`)).data.map(({ seq }) => seq);
