/** One headline's way through everything: matched with the developers that the queues know, published to subscribers, seen by readers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { react } from "#libs/bus/events/react.ts";
import { newsRecorded } from "#libs/contract/events/signals.ts";
import { storeArticles } from "../../services/signals/news/store-articles.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, type World } from "../support/world.ts";
import { article } from "./support/records.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld({ data: "none" });
	await world.settled();
});
afterAll(() => world[Symbol.asyncDispose]());

const get = async (path: string) => {
	const response = await fetch(`${world.url}${path}`);
	return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test("a headline about a developer of the register reaches a reader with a cached response and a subscriber, once each", async () => {
	const received: { title: string; version: number }[] = [];
	await using _reaction = await react(world.operator, world.sql, {
		service: "queue-ingest",
		name: "listen-in-a-test",
		event: newsRecorded,
		handler: async (_tx, events) => void received.push(...events),
	});
	const path = "/events?developer=silicon%20ranch&days=365";
	expect(await get(path)).toMatchObject({ status: 200, body: { data: [], meta: { total: 0 } } });
	const publishedAt = new Date(world.clock.now.getTime() - 3_600_000).toISOString().replace(/\.\d+Z/, "Z");
	const story = article({ title: "Silicon Ranch raises $500 million from AIP Management", publishedAt });
	await storeArticles(world.signalsSql, [story]);
	await storeArticles(world.signalsSql, [story]);
	const { body } = await eventually(async () => {
		const answer = await get(path);
		return (answer.body.meta as { total: number }).total === 1 && answer;
	});
	expect(body.data).toEqual([
		expect.objectContaining({ developer_canonical: "Silicon Ranch", event_type: "financing", match_confidence: 0.9 }),
	]);
	await eventually(() => received.length > 0);
	await world.settled();
	expect(received.map(({ title, version }) => [title, version])).toEqual([[story.title, 1]]);
	expect(await get("/developers/Silicon%20Ranch/events")).toMatchObject({
		status: 200,
		body: { developer: "Silicon Ranch", meta: { total: 1 } },
	});
	expect((await get("/developers/unknown/events")).status).toBe(404);
});

test("health and freshness show what both services hold", async () => {
	const { body: health } = await get("/health/detailed");
	expect((health.databases as { name: string }[]).map(({ name }) => name)).toEqual(
		expect.arrayContaining(["master", "signals", "capital"]),
	);
	const { body: fresh } = await get("/health/freshness");
	const names = (fresh.pipelines as { pipeline: string }[]).map(({ pipeline }) => pipeline);
	expect(names).toEqual(expect.arrayContaining(["news", "8-k", "form-d"]));
	expect(fresh.never).toEqual(expect.arrayContaining(["news", "8-k", "form-d"]));
	const { body: sources } = await get("/source-freshness");
	expect((sources.sources as { source: string }[]).map(({ source }) => source)).toEqual(expect.arrayContaining(names));
	expect(sources.total_sources).toBe((sources.sources as unknown[]).length);
	expect(sources.sources).toContainEqual(
		expect.objectContaining({ database: "capital", source: "form-d", records: 0 }),
	);
});

test("two loads of the same news at once store it once", async () => {
	const stories = Array.from({ length: 40 }, (_, at) =>
		article({ title: `Silicon Ranch plans solar farm number ${at} in Georgia`, domain: `outlet${at % 3}.com` }),
	);
	const done = await Promise.all([1, 2, 3].map(() => storeArticles(world.signalsSql, stories)));
	expect(done.map(({ stored }) => stored).sort((a, b) => a - b)).toEqual([0, 0, 40]);
});
