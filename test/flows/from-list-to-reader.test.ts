/** One list's way through everything: taken in, published to subscribers, seen by readers whose answers were kept. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { react } from "#libs/bus/events/react.ts";
import { projectChanged } from "#libs/contract/events/queue-ingest.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { eventually } from "../support/eventually.ts";
import { queueFile, queueNumber, queueRows } from "../support/queue-files.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
const rows = queueRows("miso");
const received: { project: { id: string; status_std: string }; version: number; changes: { change_type: string }[] }[] =
	[];

beforeAll(async () => {
	world = await startWorld({ data: "none" });
});
afterAll(() => world[Symbol.asyncDispose]());

const take = async (list: typeof rows, hoursAgo: number) => {
	const asOf = new Date(world.clock.now.getTime() - hoursAgo * 3_600_000).toISOString();
	return ingestSnapshot(world.sql, { region: "MISO", files: [await queueFile("miso", list)], asOf });
};
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${world.url}${path}`, { headers });

test("before anything is loaded a load balancer gets 503", async () => {
	const response = await get("/health");
	expect([response.status, await response.json()]).toEqual([
		503,
		expect.objectContaining({ detail: expect.stringContaining("0 rows") }),
	]);
});

test("a withdrawal reaches a reader with a cached response, the change feed and a subscriber, once each", async () => {
	await using _reaction = await react(world.operator, world.sql, {
		service: "queue-ingest",
		name: "listen-in-a-test",
		event: projectChanged,
		handler: async (_tx, events) => void received.push(...events),
	});
	expect(await take(rows, 24)).toMatchObject({ outcome: "applied", new: 120 });
	await eventually(() => received.length === 120);
	const active = rows.find((row) => row.status === "active");
	if (active === undefined) throw new Error("the generated list has no active request");
	const path = `/projects/MISO-${active.number}`;
	const before = await eventually(async () => {
		const response = await get(path);
		return response.ok && response;
	});
	expect(await before.json()).toMatchObject({ status_std: "Active", version: 1 });
	const etag = before.headers.get("etag") ?? "";
	expect((await get(path, { "if-none-match": etag })).status).toBe(304);

	const today = rows.map((row) =>
		row === active ? { ...row, status: "withdrawn" as const, ended: "2026-11-01" } : row,
	);
	expect(await take(today, 1)).toMatchObject({ outcome: "applied", status_changes: 1, withdrawn: 1, new: 0 });
	const after = await eventually(async () => {
		const response = await get(path, { "if-none-match": etag });
		return response.status === 200 && response;
	});
	expect(await after.json()).toMatchObject({ status_std: "Withdrawn", construction_stage: "withdrawn", version: 2 });

	const { data } = (await (await get("/changes?change_type=status_change")).json()) as {
		data: { project_id: string }[];
	};
	expect(data).toEqual([
		expect.objectContaining({ project_id: `MISO-${active.number}`, old_value: "Active", new_value: "Withdrawn" }),
	]);
	await eventually(() => received.length > 120);
	await world.settled();
	const later = received.slice(120);
	expect(later.map(({ project, version }) => [project.id, project.status_std, version])).toEqual([
		[`MISO-${active.number}`, "Withdrawn", 2],
	]);
	expect(later[0]?.changes.map((change) => change.change_type)).toContain("status_change");
});

test("a number in another spelling leads to the same project through the gateway", async () => {
	const number = queueNumber("miso", 7);
	const ids = await Promise.all(
		[`MISO-${number}`, `miso-${number.toLowerCase()}`, `${number}?region=MISO`, `%20${number}%20`].map(
			async (path) => ((await (await get(`/projects/${path}`)).json()) as { id: string }).id,
		),
	);
	expect(ids).toEqual(Array(4).fill(`MISO-${number}`));
});

test("a list read with a cursor while the next one comes, and the changes after it, are the present", async () => {
	await world.settled();
	const list = "/projects?region=MISO";
	const read = async (path: string) => (await get(path)).json() as Promise<unknown>;
	const copy = new Map<string, { id: string }>();
	let next: number | undefined;
	for (let cursor: string | null = "*"; cursor !== null; ) {
		const { data, meta } = (await read(`${list}&per_page=50&cursor=${cursor}`)) as {
			data: { id: string }[];
			meta: { next_cursor: string | null; seq?: number };
		};
		for (const row of data) copy.set(row.id, row);
		if (cursor === "*") {
			next = meta.seq;
			const last = rows.findLast((row) => row.status === "active");
			const later = rows.map((row) =>
				row === last ? { ...row, status: "withdrawn" as const, ended: "2026-11-02" } : row,
			);
			expect(await take(later, 0.5)).toMatchObject({ outcome: "applied" });
		}
		cursor = meta.next_cursor;
	}
	const changed = await eventually(async () => {
		const log = (await read(`/changes?after=${next}`)) as { data: { project_id: string }[]; next: number };
		return log.data.length > 0 && log;
	});
	expect(await read(`/changes?after=${changed.next}`)).toMatchObject({ data: [], next: changed.next });
	await world.settled();
	for (const { project_id } of changed.data)
		copy.set(project_id, (await read(`/projects/${project_id}`)) as { id: string });
	const statusOf = (rows: Iterable<unknown>) =>
		[...(rows as Iterable<{ id: string; status_std: string }>)]
			.map(({ id, status_std }) => `${id} ${status_std}`)
			.sort();
	const { data: present } = (await read(`${list}&per_page=500`)) as { data: unknown[] };
	expect(statusOf(copy.values())).toEqual(statusOf(present));
});

test("a cursor through the changes reads each that there was at its beginning once, while further lists are taken in", async () => {
	await world.settled();
	const path = "/changes?since_days=2&region=MISO&per_page=2";
	interface Answer {
		data: { seq: number }[];
		total: number;
		next_cursor?: string | null;
	}
	const seen: number[] = [];
	const totals = new Set<number>();
	let taken = 0;
	for (let cursor: string | null = "*"; cursor !== null; ) {
		const response = await get(`${path}&cursor=${cursor}`);
		expect(response.status).toBe(200);
		const { data, total, next_cursor } = (await response.json()) as Answer;
		seen.push(...data.map(({ seq }) => seq));
		totals.add(total);
		const next = rows.map((row, at) =>
			at % 40 === taken && row.status === "active"
				? { ...row, status: "withdrawn" as const, ended: "2026-11-02" }
				: row,
		);
		taken++;
		expect(await take(next, 0.5 - taken / 100)).toMatchObject({ outcome: "applied" });
		cursor = next_cursor ?? null;
	}
	const [total] = totals;
	expect(total).toBeGreaterThan(2);
	const newest = seen[0] ?? 0;
	expect(seen).toEqual(Array.from({ length: total ?? 0 }, (_, at) => newest - at));
	const now = (await (await get(`/changes?since_days=2&region=MISO&per_page=500`)).json()) as Answer;
	expect(now.total).toBeGreaterThan(total ?? 0);
	expect(now).not.toHaveProperty("next_cursor");
});
