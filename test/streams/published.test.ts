/** Scores and what is recorded of developers as server-sent events: from any place that JetStream keeps into the present. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { streamLog } from "#libs/bus/events/stream-log.ts";
import { events } from "#libs/contract/index.ts";
import { unlimitedKey } from "../api/support/walk.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Client, follow } from "./support/client.ts";

let world: World;
let key: string;
/** Numbers of all project.scored, and of all that signals has published. */
let scored: number[];
let signals: number[];
const stack = new DisposableStack();
let open: DisposableStack;

const streamsOf = (path: string, options: object = {}): Client =>
	open.use(follow(world.url + path, { key, ...options }));

async function logged(publisher: "scoring" | "signals", subject: string): Promise<number[]> {
	const log = streamLog(world.operator, publisher);
	const found: number[] = [];
	for (let at = 0; ; ) {
		const page = await log.after(at);
		if (page.length === 0) return found;
		at = page.at(-1)?.seq ?? at;
		found.push(...page.filter((one) => one.subject.startsWith(subject)).map(({ seq }) => seq));
	}
}

beforeAll(async () => {
	world = await startWorld({ gateway: { EVENT_STREAM_HEARTBEAT_MS: "100" } });
	await world.settled();
	key = await unlimitedKey(world);
	scored = await logged("scoring", "event.scoring.project.scored");
	signals = await logged("signals", "event.signals.");
	open = stack.use(new DisposableStack());
});
afterEach(() => {
	open.dispose();
	open = stack.use(new DisposableStack());
});
afterAll(async () => {
	stack.dispose();
	await world?.[Symbol.asyncDispose]();
});

test("a stream of scores delivers all from the beginning, each once and in order, then new ones", async () => {
	const client = streamsOf("/scores/stream?after=0");
	await eventually(() => expect(client.ids()).toEqual(scored));
	expect(scored.length).toBeGreaterThan(100);
	for (const { event, data } of client.received) {
		expect(event).toBe("project.scored");
		expect(events.projectScored.payload.safeParse(data).error).toBeUndefined();
	}
	const again = JSON.stringify(client.received.at(-1)?.data);
	world.operator.nats.publish("event.scoring.project.scored", again);
	await eventually(() => client.received.length === scored.length + 1);
	expect(JSON.stringify(client.received.at(-1)?.data)).toBe(again);
	scored = await logged("scoring", "event.scoring.project.scored");
	expect(client.ids()).toEqual(scored);
});

test("a stream starts after a number, by parameter or by header, which takes precedence", async () => {
	const middle = scored[Math.floor(scored.length / 2)] ?? 0;
	const rest = scored.filter((seq) => seq > middle);
	const byParameter = streamsOf(`/scores/stream?after=${middle}`);
	const byHeader = streamsOf("/scores/stream?after=0", { lastEventId: String(middle) });
	await eventually(() => expect(byParameter.ids()).toEqual(rest));
	await eventually(() => expect(byHeader.ids()).toEqual(rest));
});

test("a stream without a position begins now", async () => {
	const client = streamsOf("/scores/stream");
	await eventually(() => client.opened === 1);
	const [message] = (await streamLog(world.operator, "scoring").after((scored[0] ?? 0) - 1)).slice(0, 1);
	world.operator.nats.publish("event.scoring.project.scored", message?.text);
	await eventually(() => expect(client.received.map(({ data }) => data)).toEqual([JSON.parse(message?.text ?? "")]));
});

test("a stream of scores can be filtered", async () => {
	const all = streamsOf("/scores/stream?after=0");
	const good = streamsOf("/scores/stream?after=0&min_score=60");
	const graded = streamsOf("/scores/stream?after=0&grade=A,b&investable=true");
	const newest = await streamLog(world.operator, "scoring").head();
	await eventually(() => expect(all.ids().at(-1)).toBe(newest));
	type Score = { investability_score: number | null; grade: string; investable: boolean };
	const chosen = (by: (score: Score) => boolean) =>
		all.received.filter(({ data }) => by(data as unknown as Score)).map(({ id }) => id);
	await eventually(() => expect(good.ids()).toEqual(chosen((it) => (it.investability_score ?? -1) >= 60)));
	await eventually(() =>
		expect(graded.ids()).toEqual(chosen((it) => ["A", "B"].includes(it.grade) && it.investable === true)),
	);
	expect(good.ids().length).toBeGreaterThan(0);
	expect(good.ids().length).toBeLessThan(all.ids().length);
	const [one] = all.received;
	const ofOne = streamsOf(`/scores/stream?after=0&id=${one?.data.project_id},NONE-1`);
	await eventually(() =>
		expect(ofOne.ids()).toEqual(
			chosen((it) => (it as never as { project_id: string }).project_id === one?.data.project_id),
		),
	);
});

test("streams of news, filings, raises and ownership changes can be filtered by name, class, developer and confidence", async () => {
	const all = streamsOf("/events/stream?after=0");
	await eventually(() => expect(all.ids()).toEqual(signals));
	const names = new Set(all.received.map(({ event }) => event));
	expect([...names].sort()).toEqual(["filing.recorded", "news.recorded", "ownership.changed", "raise.recorded"]);
	const chosen = async (query: string, by: (one: (typeof all.received)[number]) => boolean) => {
		const expected = all.received.filter(by).map(({ id }) => id);
		expect([query, expected.length > 0 && expected.length < signals.length]).toEqual([query, true]);
		const client = streamsOf(`/events/stream?after=0&${query}`);
		await eventually(() => expect(client.ids()).toEqual(expected));
	};
	await chosen("event=raise.recorded", ({ event }) => event === "raise.recorded");
	await chosen("event_type=financing,ma", ({ data }) => ["financing", "ma"].includes(String(data.event_type)));
	await chosen("min_confidence=0.9", ({ data }) =>
		((data.developers ?? []) as { match_confidence: number }[]).some((one) => one.match_confidence >= 0.9),
	);
	const name = String(
		all.received.find(({ data }) => typeof data.developer_canonical === "string")?.data.developer_canonical,
	);
	await chosen(`developer=${encodeURIComponent(name.slice(0, 8).toUpperCase())}`, ({ data }) =>
		JSON.stringify([data.developers, data.developer_canonical, data.seller_canonical, data.buyer_canonical])
			.toLowerCase()
			.includes(name.slice(0, 8).toLowerCase()),
	);
});
