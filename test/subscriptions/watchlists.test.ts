/** Watchlists on real servers: what enters, stays and leaves, by ids, developers and a circle. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ParamsInput } from "#libs/contract/index.ts";
import type { PlanName } from "#libs/contract/vocabulary.ts";
import { deleteWatchlists } from "../../services/subscriptions/jobs/delete-old.ts";
import type { MisoRow } from "../queue-ingest/support/miso.ts";
import { eventually } from "../support/eventually.ts";
import { openReceiver, seqsOf } from "./support/receiver.ts";
import { openSystem, standingRequests, type TestSystem } from "./support/system.ts";

const account = 1;
const another = 2;
let system: TestSystem;
let lists = 0;
beforeAll(async () => {
	system = await openSystem({
		replicas: 2,
		config: { WATCHLISTS_PER_ACCOUNT: "2", WATCHLIST_REQUESTS: "30", FREE_WATCHLIST_REQUESTS: "2" },
	});
	await take({});
});
afterAll(() => system?.[Symbol.asyncDispose]());
beforeEach(async () => {
	system.clock.now = new Date();
	await system.sql`delete from webhooks`;
	await system.sql`delete from watchlists`;
	await take({});
});

/** A list in which these requests are so, and all others as ever. */
async function take(rows: Record<string, Omit<MisoRow, "number">>): Promise<void> {
	const usual = ["J101", "J102", "J103"].map((number) => ({ number, ...rows[number] }));
	await system.list(new Date(Date.UTC(2026, 2, 1, ++lists)).toISOString(), usual);
}

const create = (filters: object, name = "mine") => system.ask(account, "createWatchlist", { name, filters });
const show = (watchlist_id: number) => system.ask(account, "getWatchlist", { watchlist_id });
const changesOf = async (watchlist_id: number, after = 0) =>
	system.ask(account, "listWatchlistChanges", { watchlist_id, after });
/** Resolves when it knows every change. */
const followed = async (watchlistId: number) => {
	const last = await system.queue.lastSeq();
	return eventually(async () => ((await show(watchlistId)).watchlist.seq ?? -1) >= last);
};

test("a request enters with the change that brings it in, stays, and leaves with the one that takes it out", async () => {
	const { watchlist_id } = await create({ county: "Sangamon" });
	await followed(watchlist_id);
	expect((await show(watchlist_id)).data).toEqual([]);
	await take({ J101: { county: "Sangamon" } });
	await take({ J101: { county: "Sangamon", summer: 170, winter: 170 } });
	await take({});
	await followed(watchlist_id);
	const { data, next } = await changesOf(watchlist_id);
	const kinds = data.map(({ project_id, event, change_type }) => [project_id, event, change_type]);
	expect(kinds.map(([id]) => id)).toEqual(kinds.map(() => "MISO-J101"));
	expect(kinds.map(([, event]) => event).filter((event) => event !== null)).toEqual(["entered", "left"]);
	expect(kinds[0]?.[1]).toBe("entered");
	expect(kinds.filter(([, , type]) => type === "capacity_change").length).toBeGreaterThan(0);
	expect(data[0]?.project?.county).toBe("Sangamon");
	// The page that follows is empty, and says so.
	expect(await changesOf(watchlist_id, next)).toEqual({ data: [], next });
	const paged = await system.ask(account, "listWatchlistChanges", { watchlist_id, after: 0, per_page: 1 });
	expect(paged).toEqual({ data: data.slice(0, 1), next: data[0]?.seq });
});

test.each([
	["ids", { id: ["MISO-J101", "MISO-J103"] }, ["MISO-J101", "MISO-J103"]],
	[
		"a county and a status",
		{ county: "Logan", status: ["Active"], capacity_max: 200 },
		["MISO-J101", "MISO-J102", "MISO-J103"],
	],
	["developers", { developer_id: [2_000_000_000] }, []],
	["a circle", { lat: 40.1, lon: -89.4, radius_km: 60, capacity_max: 200 }, ["MISO-J101", "MISO-J102", "MISO-J103"]],
])("one of %s has the requests that /projects answers for it", async (_, filters, expected) => {
	const { watchlist_id } = await create(filters);
	await followed(watchlist_id);
	const { watchlist, data } = await show(watchlist_id);
	const direct = await system.queue.ask("listProjects", { ...filters, per_page: 500 });
	expect(data).toEqual(direct.data);
	expect(data.map(({ id }) => id)).toEqual(expected);
	expect(watchlist.requests).toBe(expected.length);
	const members =
		await system.sql`select project_id from watchlist_members where watchlist_id = ${watchlist_id} order by 1`;
	expect(members.map(({ project_id }) => project_id)).toEqual(expected);
});

test("a webhook with a watchlist is sent only its changes, with the requests that enter and leave", async () => {
	await using receiver = await openReceiver();
	const { watchlist_id } = await create({ county: "Sangamon" });
	const made = await system.ask(account, "createWebhook", { url: receiver.url, watchlist_id });
	receiver.secret = made.secret;
	await take({ J102: { county: "Sangamon" }, J103: { summer: 120, winter: 120 } });
	await take({ J103: { summer: 130, winter: 130 } });
	await followed(watchlist_id);
	const { data } = await changesOf(watchlist_id);
	await eventually(() => receiver.taken.length === data.length);
	expect(seqsOf(receiver.taken)).toEqual(data.map(({ seq }) => seq));
	expect(receiver.taken.map(({ type }) => type)).toEqual(
		data.map(({ event }) => (event === null ? "change.recorded" : `watchlist.${event}`)),
	);
	expect(receiver.taken.map(({ type }) => type)).toEqual(
		expect.arrayContaining(["watchlist.entered", "watchlist.left"]),
	);
	expect(receiver.faults).toEqual([]);
	await expect(system.ask(account, "deleteWatchlist", { watchlist_id })).rejects.toMatchObject({ status: 409 });
});

test("a watchlist of a paid plan does not wait for one of the free plan", async () => {
	const free = await system.ask(another, "createWatchlist", { name: "free", filters: { county: "Sangamon" } }, "Free");
	const paid = await create({ county: "Sangamon" });
	await followed(paid.watchlist_id);
	const seqOf = async (id: number) => (await system.sql`select seq from watchlists where id = ${id}`)[0]?.seq;
	const before = await seqOf(paid.watchlist_id);
	await eventually(async () => (await seqOf(free.watchlist_id)) === before);
	await system.sql.begin(async (tx) => {
		await tx`select from watchlists where id = ${free.watchlist_id} for update`;
		await take({ J101: { county: "Sangamon" } });
		await eventually(async () => (await seqOf(paid.watchlist_id)) > before);
	});
});

test("changed filters add and remove requests without events", async () => {
	const { watchlist_id } = await create({ id: ["MISO-J101"] });
	await followed(watchlist_id);
	const changed = await system.ask(account, "changeWatchlist", {
		...{ watchlist_id, name: "other" },
		filters: { id: ["MISO-J102", "MISO-J103"] },
	});
	expect(changed).toMatchObject({ name: "other", filters: { id: ["MISO-J102", "MISO-J103"] } });
	await followed(watchlist_id);
	expect((await show(watchlist_id)).watchlist.requests).toBe(2);
	await take({ J101: { summer: 111, winter: 111 }, J102: { summer: 112, winter: 112 } });
	await followed(watchlist_id);
	const { data } = await changesOf(watchlist_id);
	expect([...new Set(data.map(({ project_id, event }) => `${project_id} ${event}`))]).toEqual(["MISO-J102 null"]);
});

test("on the free plan a watchlist has few requests and is deleted when it is unused; an enabled webhook uses it", async () => {
	const hasFewer = { id: ["MISO-J101", "MISO-J102"] };
	const ask = <N extends Parameters<TestSystem["ask"]>[1]>(name: N, params: ParamsInput<N>, plan: PlanName = "Free") =>
		system.ask(account, name, params, plan);
	const expiresAt = async () => (await ask("listWatchlists", {})).data.map(({ expires_at }) => expires_at);
	const inDays = (days: number) => new Date(system.clock.now.getTime() + days * 86_400_000);
	const deleteOn = (now: Date) => deleteWatchlists(system.sql, { now: () => now, unusedDays: 90 });
	const seconds = (time: Date) => time.toISOString().replace(/\.\d+/, "");
	await expect(
		ask("createWatchlist", { name: "three", filters: { id: [...hasFewer.id, "MISO-J103"] } }),
	).rejects.toMatchObject({ status: 422, errors: [{ loc: ["body", "filters"] }] });
	const { watchlist_id } = await ask("createWatchlist", { name: "read", filters: hasFewer });
	const sent = await ask("createWatchlist", { name: "sent", filters: hasFewer });
	await using receiver = await openReceiver();
	const { webhook_id } = await ask("createWebhook", { url: receiver.url, watchlist_id: sent.watchlist_id });
	await eventually(async () => (await ask("getWebhook", { webhook_id })).proven);
	expect(await expiresAt()).toEqual([seconds(inDays(90)), null]);
	system.clock.now = inDays(60);
	await ask("getWatchlist", { watchlist_id });
	expect(await expiresAt()).toEqual([seconds(inDays(90)), null]);
	// A paid plan's watchlists do not expire; one that is used on the free plan again does, and so do the account's others.
	await ask("listWatchlistChanges", { watchlist_id }, "Growth");
	expect(await expiresAt()).toEqual([null, null]);
	await ask("changeWatchlist", { watchlist_id, name: "mine" });
	expect(await deleteOn(inDays(89))).toBe(0);
	expect(await deleteOn(inDays(91))).toBe(1);
	await ask("changeWebhook", { webhook_id, enabled: false });
	expect(await deleteOn(inDays(180))).toBe(0);
	expect(await deleteOn(inDays(182))).toBe(1);
	expect((await ask("listWebhooks", {})).data).toEqual([]);
});

test("another account sees nothing, and values above a limit are refused with the field's name", async () => {
	const { watchlist_id } = await create({ id: ["MISO-J101"] });
	const missing = { status: 404 };
	const calls = [
		() => system.ask(another, "getWatchlist", { watchlist_id }),
		() => system.ask(another, "listWatchlistChanges", { watchlist_id }),
		() => system.ask(another, "changeWatchlist", { watchlist_id, name: "taken" }),
		() => system.ask(another, "deleteWatchlist", { watchlist_id }),
	];
	for (const each of calls) await expect(each()).rejects.toMatchObject(missing);
	expect((await system.ask(another, "listWatchlists", {})).data).toEqual([]);
	await expect(
		system.ask(another, "createWebhook", { url: "http://127.0.0.1:9/", watchlist_id }),
	).rejects.toMatchObject({ status: 422, errors: [{ loc: ["body", "watchlist_id"] }] });
	const refused = (filters: object, field: string) =>
		expect(create(filters)).rejects.toMatchObject({ status: 422, errors: [{ loc: ["body", field] }] });
	await create({ region: ["MISO"] }, "all of it");
	expect(standingRequests + 3).toBeLessThanOrEqual(30);
	await refused({ region: ["MISO"] }, "name");
	await system.sql`delete from watchlists`;
	const more = Array.from({ length: 5 }, (_, at) => ({ number: `J20${at}` }));
	await system.list(new Date(Date.UTC(2026, 2, 1, ++lists)).toISOString(), [
		...["J101", "J102", "J103"].map((number) => ({ number })),
		...more,
	]);
	await refused({ region: ["MISO"] }, "filters");
});
