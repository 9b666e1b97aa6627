/**
 * The whole system as real processes at LOG_LEVEL=trace, first well, then without its servers, then with settings that are wrong: no
 * secret of its settings or its callers is in what any process prints, or in an answer.
 */

import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSecret } from "#libs/contract/key.ts";
import type { Children } from "../../deploy/local/children.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import type { Run } from "../../deploy/local/run-file.ts";
import { mainArguments, services } from "../../deploy/local/services.ts";
import { nodeCommand, startSystem } from "../../deploy/local/system.ts";
import { eventually } from "../support/eventually.ts";
import { openHome, pidOf } from "../support/home.ts";

const stack = new AsyncDisposableStack();
/** Kinds of secrets by value. */
const secrets = new Map<string, string>();
const secret = (of: string, value: string): string => {
	secrets.set(value, of);
	return value;
};
const random = (): string => Math.random().toString(36).slice(2).padEnd(12, "x") + Date.now().toString(36);
const settings: Record<string, string> = {
	LOG_LEVEL: "trace",
	// The servers are gone at the end: what drains would wait for them.
	DRAIN_MS: "500",
	KEYLESS: "pay",
	X402_PAY_TO: "0x00000000000000000000000000000000000000e1",
	X402_NETWORK: "eip155:84532",
	X402_FACILITATOR_TOKEN: secret("X402_FACILITATOR_TOKEN", random()),
	MPP_RECIPIENT: "0x00000000000000000000000000000000000000e2",
	MPP_REALM: "127.0.0.1",
	MPP_SECRET_KEY: secret("MPP_SECRET_KEY", random() + random()),
	STRIPE_SECRET_KEY: secret("STRIPE_SECRET_KEY", `sk_live_${random()}`),
	STRIPE_WEBHOOK_SECRET: secret("STRIPE_WEBHOOK_SECRET", `whsec_${random()}`),
	STRIPE_NETWORK_ID: "profile_1",
};
let directory: string;
let children: Children;
let run: Run;
/** Head and body of each answer. */
const answers: string[] = [];
const statuses = new Set<number>();

beforeAll(async () => {
	({ directory, children } = stack.use(openHome()));
	const outside = await brokenProvider();
	settings.X402_FACILITATOR_URL = `${outside}/facilitator`;
	settings.X402_RPC_URL = `${outside}/v2/${secret("X402_RPC_URL", random())}`;
	settings.MPP_RPC_URL = `${outside}/v2/${secret("MPP_RPC_URL", random())}`;
	settings.STRIPE_API_URL = outside;
	Object.assign(process.env, settings);
	stack.defer(() => {
		for (const name of Object.keys(settings)) delete process.env[name];
	});
	run = await startSystem(children, { dataDir: directory, port: await freePort(), say() {} });
	for (const { name } of services) {
		const { POSTGRES_URL, REDIS_URL, NATS_PASSWORD } = run.services[name]?.env ?? {};
		for (const [of, url] of Object.entries({ POSTGRES_URL, REDIS_URL }))
			if (url !== undefined) secret(`${of} of ${name}`, new URL(url).password);
		if (NATS_PASSWORD !== undefined) secret(`NATS_PASSWORD of ${name}`, NATS_PASSWORD);
	}
}, 180_000);
afterAll(() => stack.disposeAsync());

/** Facilitator, chains and card processor in one: it knows what it sells, and fails at all else. */
async function brokenProvider(): Promise<string> {
	const kinds = [{ x402Version: 2, scheme: "exact", network: "eip155:84532" }];
	const server = createServer((request, response) => {
		request.resume();
		const isList = request.url?.endsWith("/supported") === true;
		response.writeHead(isList ? 200 : 500, { "content-type": "application/json" });
		response.end(isList ? JSON.stringify({ kinds, extensions: [], signers: {} }) : '{"error":{"message":"broken"}}');
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	stack.defer(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Asks with a body, if there is one, as JSON; keeps the answer. */
async function ask(path: string, headers: Record<string, string> = {}, body?: unknown): Promise<Response> {
	const response = await fetch(`${run.url}${path}`, {
		headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
		...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
	});
	answers.push(`${JSON.stringify([...response.headers])} ${await response.clone().text()}`);
	statuses.add(response.status);
	return response;
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");

async function forgedPayment(): Promise<string> {
	const { headers } = await ask("/projects");
	const { accepts } = JSON.parse(Buffer.from(headers.get("payment-required") ?? "", "base64").toString());
	const signature = secret("a payment's signature", `0x${"5ec7e7".repeat(21)}abcd`);
	const authorization = { from: `0x${"1".repeat(40)}`, to: settings.X402_PAY_TO, value: accepts[0].amount };
	const times = { validAfter: "0", validBefore: "99999999999", nonce: `0x${"2".repeat(64)}` };
	const payload = { signature, authorization: { ...authorization, ...times } };
	return base64({ x402Version: 2, resource: { url: `${run.url}/projects` }, accepted: accepts[0], payload });
}

/** Everything that a caller may carry, good and bad. */
async function misuse(): Promise<void> {
	const key = secret("a key", makeSecret("pk_"));
	const token = secret("a token of credits", makeSecret("cr_"));
	// Put into the path by mistake, too.
	for (const path of ["/projects", "/usage", "/nowhere", "/projects?no_such=1", `/projects/${key}`, `/${token}`]) {
		await ask(path, { "x-api-key": key });
		await ask(path, { authorization: `Bearer ${key}` });
		await ask(`${path}${path.includes("?") ? "&" : "?"}api_key=${key}`);
		await ask(path, { "x-credit-token": token });
		await ask(path, { authorization: `Bearer ${token}` });
		await ask(path, { cookie: `session=${secret("a cookie", "c00kie5ecret")}` });
		await ask(path, { authorization: `Basic ${secret("a password of Basic", "dXNlcjpodW50ZXIy")}` });
	}
	await ask(
		"/credits",
		{ authorization: `Payment ${secret("a card's payment", base64({ challenge: random() }))}` },
		{ amount_usd: 5 },
	);
	await ask("/credits/checkout", {}, { amount_usd: 5 });
	await ask(
		"/webhooks/stripe",
		{ "stripe-signature": `t=1,v1=${secret("a webhook's signature", "5e".repeat(32))}` },
		{},
	);
	await ask("/query", { "x-api-key": key }, { sql: "select 1" });
	await ask(
		"/mcp",
		{ authorization: `Bearer ${key}`, accept: "application/json, text/event-stream" },
		{ jsonrpc: "2.0", id: 1, method: "x" },
	);
}

/** A key that is good, and shown to its owner alone. */
async function register(): Promise<string> {
	const before = answers.length;
	const response = await ask("/register", {}, { email: `${random()}@example.org` });
	const { key } = (await response.json()) as { key: string };
	answers.splice(before);
	return secret("a key that is good", key);
}

const lines = (name: string): string[] => readFileSync(join(directory, "logs", `${name}.log`), "utf8").split("\n");
const saysTrouble = (name: string): boolean => lines(name).some((line) => /"level":[456]0/.test(line));

/** Places by the leaked value. Redis' and PostgreSQL's own logs are searched, too. */
function leaks(): string[] {
	const logs = readdirSync(join(directory, "logs")).map((file) => [
		file,
		readFileSync(join(directory, "logs", file), "utf8"),
	]);
	const read = [...logs, ["answers", answers.join("\n")]];
	return [...secrets].flatMap(([value, of]) =>
		read.flatMap(([where, text = ""]) => (text.includes(value) ? [`${of} in ${where}: ${around(text, value)}`] : [])),
	);
}
const around = (text: string, value: string): string =>
	text.slice(Math.max(0, text.indexOf(value) - 80), text.indexOf(value) + value.length + 20);

test("no secret is printed in normal operation", { timeout: 120_000 }, async () => {
	const good = await register();
	expect((await ask("/usage", { "x-api-key": good })).status).toBe(200);
	await misuse();
	const payment = await forgedPayment();
	await ask("/projects", { "payment-signature": payment });
	secret("a payment", payment);
	expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 402, 403, 404, 422]));
	expect(leaks()).toEqual([]);
});

test("no secret is printed if the servers are down", { timeout: 120_000 }, async () => {
	for (const servers of [["postgres"], ["redis", "nats"]]) {
		for (const server of servers) process.kill(pidOf(children, server), "SIGKILL");
		await misuse();
	}
	for (const { name } of services) await eventually(() => saysTrouble(name), { withinMs: 60_000 });
	expect(statuses).toContain(503);
	expect(leaks()).toEqual([]);
});

test("no secret is printed if a setting is invalid, or valid but wrong", {
	timeout: 120_000,
	tags: ["campaign"],
}, async () => {
	const dead = `127.0.0.1:${await freePort()}`;
	const broken: [string, Record<string, string>][] = [
		["signals", { POSTGRES_URL: `no address with ${secret("a broken address", random())}` }],
		[
			"signals",
			{ POSTGRES_URL: `postgres://signals:${secret("a password with marks", `${random()}#/?@`)}@${dead}/energy` },
		],
		["scoring", { POSTGRES_URL: `postgres://scoring:${secret("a wrong password", random())}@${dead}/energy` }],
		[
			"billing",
			{ POSTGRES_URL: `postgres://billing:${secret("a password, verified", random())}@${dead}/energy?sslmode=prefer` },
		],
		["billing", { NATS_URL: `nats://billing:${secret("a password in NATS_URL", random())}@${dead}` }],
		["gateway", { REDIS_URL: `redis:/${secret("a broken address of Redis", random())}` }],
		["gateway", { MPP_SECRET_KEY: secret("a key too short", random().slice(0, 16)) }],
	];
	const ends = broken.map(async ([service, wrong], at) => {
		const command = nodeCommand(run, service, `${service}-broken-${at}`, mainArguments(service));
		const env = { ...command.env, ...wrong, HEALTH_PORT: "0", PORT: "0" };
		expect((await children.launch({ ...command, env }).exited).code, command.name).toBe(1);
		expect(lines(command.name).join(""), command.name).toMatch(/could not start|is wrong/);
	});
	await Promise.all(ends);
	expect(leaks()).toEqual([]);
});
