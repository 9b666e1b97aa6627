import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { register } from "prom-client";
import { expect, test } from "vitest";
import { badRequest } from "#libs/contract/errors.ts";
import type { Handlers } from "#libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import { problem } from "../support/problem.ts";
import { startGateway } from "./support/gateway.ts";

type Export = Handlers<"queue-ingest">["exportProjects"];

/** More than the bus puts together before it sends (32 KB). */
const chunk = "PJM-1,Example,Solar,100\n".repeat(12_000);

const serving = (exportProjects: Export) => startGateway({ owner: { exportProjects } });

/** Requests that the gateway of this process is answering. */
async function inFlight(): Promise<number> {
	const metric = await register.getSingleMetric("http_in_flight")?.get();
	return metric?.values[0]?.value ?? 0;
}

/** The response while its body is still on the way: `fetch` would read ahead. */
async function open(url: string): Promise<IncomingMessage> {
	const [response] = (await once(get(url), "response")) as [IncomingMessage];
	return response;
}

test("an export arrives complete and in order, as a file", async () => {
	await using gateway = await serving(async function* ({ state }) {
		yield `id,state ${state}\n`;
		for (let part = 0; part < 40; part++) yield `${part}\n${chunk}`;
	});
	const response = await gateway.get("/export/projects?state=tx");
	expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
	expect(response.headers.get("content-disposition")).toBe('attachment; filename="projects.csv"');
	const body = await response.text();
	expect(body.slice(0, 13)).toBe("id,state TX\n0");
	expect(body.length).toBe(12 + 40 * chunk.length + 70 + 40);
	expect(body.match(/^\d+$/gm)).toEqual(Array.from({ length: 40 }, (_, part) => String(part)));
});

test("an error before the first chunk is an ordinary error", async () => {
	// biome-ignore lint/correctness/useYield: it fails before there is anything to yield
	await using gateway = await serving(async function* () {
		throw badRequest("no such thing");
	});
	const response = await gateway.get("/export/projects");
	expect(response.status).toBe(400);
	expect(response.headers.get("content-disposition")).toBeNull();
	expect(await response.json()).toEqual(problem({ detail: "no such thing", code: "bad_request" }));
});

test("an error midway is an ordinary error: no client gets a part", async () => {
	await using gateway = await serving(async function* () {
		for (let part = 0; part < 10; part++) yield chunk;
		throw new Error("the disk is full");
	});
	const response = await gateway.get("/export/projects");
	expect([response.status, response.headers.get("etag")]).toEqual([500, null]);
	expect((await response.json()) as object).toEqual(problem({ detail: expect.any(String), code: expect.any(String) }));
});

test("a client that disconnects while the file is created stops the source, unless another waits for the same file", async () => {
	const state = { begun: 0, ended: 0 };
	await using gateway = await serving(async function* () {
		state.begun++;
		try {
			for (;;) {
				yield chunk;
				await turn();
			}
		} finally {
			state.ended++;
		}
	});
	const [first, second] = [get(`${gateway.url}/export/projects`), get(`${gateway.url}/export/projects`)];
	for (const one of [first, second]) one.on("error", () => {});
	await eventually(async () => state.begun === 1 && (await inFlight()) === 2);
	first.destroy();
	await eventually(async () => (await inFlight()) === 1);
	expect(state).toEqual({ begun: 1, ended: 0 });
	second.destroy();
	await eventually(() => state.ended === 1);
});

test("a slow reader delays no other, because the source ends before the first byte is sent", async () => {
	const state = { ended: false };
	await using gateway = await serving(async function* () {
		for (let part = 0; part < 40; part++) yield chunk;
		state.ended = true;
	});
	const response = await open(`${gateway.url}/export/projects`);
	response.pause();
	expect(state.ended).toBe(true);
	let length = 0;
	for await (const part of response) length += part.length;
	expect(length).toBe(40 * chunk.length);
});

test("closing finishes and sends a file in progress, and accepts no new requests", async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	const state = { begun: false };
	const gateway = await serving(async function* () {
		state.begun = true;
		for (let part = 0; part < 5; part++) yield chunk;
		await promise;
		yield chunk;
	});
	const opening = open(`${gateway.url}/export/projects`);
	await eventually(() => state.begun);
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
	for await (const part of await opening) length += part.length;
	expect(length).toBe(6 * chunk.length);
	await closed;
});
