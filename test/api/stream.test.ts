import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { badRequest } from "#libs/contract/errors.ts";
import type { Handlers } from "#libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "./support/gateway.ts";

type Export = Handlers<"queue-ingest">["exportProjects"];

/** More than the bus puts together before it sends (32 KB). */
const chunk = "PJM-1,Example,Solar,100\n".repeat(12_000);

const serving = (exportProjects: Export) => startGateway({ owner: { exportProjects } });

/** The response while its body is still on the way: `fetch` would read ahead. */
async function open(url: string): Promise<IncomingMessage> {
	const [response] = (await once(get(url), "response")) as [IncomingMessage];
	return response;
}

test("an export arrives complete and in order, as a file", async () => {
	await using gateway = await serving(async function* ({ state }) {
		yield `id,state ${state}\n`;
		for (let part = 0; part < 200; part++) yield `${part}\n${chunk}`;
	});
	const response = await gateway.get("/export/projects?state=tx");
	expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
	expect(response.headers.get("content-disposition")).toBe('attachment; filename="projects.csv"');
	const body = await response.text();
	expect(body.slice(0, 13)).toBe("id,state TX\n0");
	expect(body.length).toBe(12 + 200 * chunk.length + 490 + 200);
	expect(body.match(/^\d+$/gm)).toEqual(Array.from({ length: 200 }, (_, part) => String(part)));
});

test("an error before the first chunk is an ordinary error", async () => {
	// biome-ignore lint/correctness/useYield: it fails before there is anything to yield
	await using gateway = await serving(async function* () {
		throw badRequest("no such thing");
	});
	const response = await gateway.get("/export/projects");
	expect(response.status).toBe(400);
	expect(response.headers.get("content-disposition")).toBeNull();
	expect(await response.json()).toEqual({ detail: "no such thing" });
});

test("an error midway breaks the transfer, so that nobody takes a part for the whole", async () => {
	await using gateway = await serving(async function* () {
		yield chunk;
		throw new Error("the disk is full");
	});
	const response = await gateway.get("/export/projects");
	expect(response.status).toBe(200);
	await expect(response.text()).rejects.toThrow();
});

test("a reader that goes away ends the reading at the source", async () => {
	const state = { ended: false };
	await using gateway = await serving(async function* () {
		try {
			for (;;) yield chunk;
		} finally {
			state.ended = true;
		}
	});
	const response = await open(`${gateway.url}/export/projects`);
	await once(response, "readable");
	expect(state.ended).toBe(false);
	response.destroy();
	await eventually(() => state.ended);
});

test("a slow reader slows the source down", async () => {
	const state = { sent: 0 };
	await using gateway = await serving(async function* () {
		for (; state.sent < 2_000; state.sent++) yield chunk;
	});
	const response = await open(`${gateway.url}/export/projects`);
	response.pause();
	let before: number;
	do {
		before = state.sent;
		await sleep(300);
	} while (state.sent > before);
	// What fits into windows and socket buffers, not the 576 MB that there are.
	expect(state.sent * chunk.length).toBeLessThan(50_000_000);
	response.destroy();
});

test("HEAD reads nothing", async () => {
	const state = { asked: false };
	await using gateway = await serving(async function* () {
		state.asked = true;
		yield chunk;
	});
	const response = await fetch(`${gateway.url}/export/projects`, { method: "HEAD" });
	expect([response.status, response.headers.get("content-length")]).toEqual([200, null]);
	expect(state.asked).toBe(false);
});

test("closing lets a request in flight finish and takes no new ones", async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	const gateway = await serving(async function* () {
		yield chunk;
		await promise;
		yield chunk;
	});
	const response = await open(`${gateway.url}/export/projects`);
	await once(response, "readable");
	const closed = gateway[Symbol.asyncDispose]();
	await eventually(
		async () =>
			await gateway.get("/").then(
				() => false,
				() => true,
			),
	);
	resolve();
	let length = 0;
	for await (const part of response) length += part.length;
	expect(length).toBe(2 * chunk.length);
	await closed;
});
