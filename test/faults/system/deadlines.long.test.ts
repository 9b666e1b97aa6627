/** Each hop gives up before the one that asked it, gives back what it held, and refuses at once what it could not begin soon. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { type Campaign, openCampaign } from "./campaign.ts";
import type { WorkerName } from "./constellation.ts";
import { hangMs } from "./trial.ts";

/** More than an owner answers at once. */
const crowd = 400;
const maxInFlight = 256;

let campaign: Campaign;
beforeAll(async () => {
	// Time enough for a busy machine to send a crowd before the first of it is given up.
	campaign = await openCampaign({ settings: { REQUEST_TIMEOUT_MS: "7000", STATEMENT_TIMEOUT_MS: "6000" } });
});
afterAll(() => campaign?.[Symbol.asyncDispose]());

let lists = 0;
/** Requests a list that was not requested yet. */
async function askNew() {
	const url = `${campaign.system.url}/projects?capacity_min=${++lists / 1_000}`;
	const response = await fetch(url, { signal: AbortSignal.timeout(hangMs) });
	const { detail = "" } = (await response.json()) as { detail?: string };
	return { status: response.status, retryAfter: response.headers.get("retry-after"), detail };
}

const statusOf = async (path: string) => (await fetch(campaign.system.url + path)).status;
const isLive = async (name: WorkerName) => (await fetch(`${campaign.system.workers[name].healthUrl}/live`)).status;

async function inFlight(name: WorkerName): Promise<number> {
	const metrics = await (await fetch(`${campaign.system.workers[name].healthUrl}/metrics`)).text();
	return Number(/^bus_in_flight\{.*\} (\d+)$/m.exec(metrics)?.[1]);
}

/** No list can be read while `work` runs. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
	const { promise: done, resolve, reject } = Promise.withResolvers<T>();
	await campaign.system.sql.begin(async (tx) => {
		await tx`lock table queue_ingest.projects in access exclusive mode`;
		await work().then(resolve, reject);
	});
	return await done;
}

test("a slow statement is cancelled by its owner before the gateway's timeout", async () => {
	const { status, detail, retryAfter } = await whileLocked(askNew);
	expect({ status, detail }).toEqual({ status: 503, detail: "the database takes too long" });
	expect(Number(retryAfter)).toBeGreaterThan(0);
	await eventually(async () => (await askNew()).status === 200);
});

test("a load that an owner cannot serve is refused at once, without affecting others", async () => {
	const answers = await whileLocked(async () => {
		const answers: Awaited<ReturnType<typeof askNew>>[] = [];
		const all = Promise.all(Array.from({ length: crowd }, async () => answers.push(await askNew())));
		await eventually(() => answers.length >= crowd - maxInFlight, { withinMs: hangMs });
		expect(await Promise.all([isLive("queue-ingest"), isLive("gateway")])).toEqual([200, 200]);
		expect(await Promise.all(["/investable", "/events", "/pricing-info"].map(statusOf))).toEqual([200, 200, 200]);
		await all;
		return answers;
	});
	expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
	expect(answers.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
	// Refused callers do not wait for accepted ones.
	const busy = answers.slice(0, crowd - maxInFlight).map(({ detail }) => detail);
	// Refused by the gateway, whose slots are fewer than those of an owner.
	expect(new Set(busy)).toEqual(new Set(["too many requests are in progress: try again soon"]));
	// Nor does the owner work for callers that have left.
	await eventually(async () => (await inFlight("queue-ingest")) === 0);
	expect((await askNew()).status).toBe(200);
});

test("requests to a silent database time out, and are sent again when it responds", async () => {
	const { postgres } = campaign.system.engines;
	postgres.pause();
	try {
		const answers = await Promise.all(Array.from({ length: 20 }, askNew));
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
		// Still silent: what the owner holds for callers that have gone is let go of all the same.
		await eventually(async () => (await inFlight("queue-ingest")) === 0, { withinMs: 60_000 });
	} finally {
		postgres.resume();
	}
	await eventually(async () => (await askNew()).status === 200, { withinMs: 60_000 });
	expect(campaign.system.workers["queue-ingest"].starts).toBe(1);
});
