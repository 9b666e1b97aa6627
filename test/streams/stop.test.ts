/** A gateway that is asked to stop while a hundred clients follow: each gets an end that it can resume from, and the process ends in time. */
import { expect, test } from "vitest";
import { freePort, root } from "../../deploy/local/data-dir.ts";
import { mainArguments } from "../../deploy/local/services.ts";
import { eventually } from "../support/eventually.ts";
import { openHome } from "../support/home.ts";
import { startRedis } from "../support/servers.ts";
import { startWorld } from "../support/world.ts";
import { follow } from "./support/client.ts";
import { openLists } from "./support/lists.ts";

const clients = 100;
const drainMs = 15_000;

test("SIGTERM ends a hundred streams cleanly, and another gateway continues from their last ids", async () => {
	await using world = await startWorld({ data: "none", gateway: { ANONYMOUS_PER_MINUTE: "0" } });
	const lists = await openLists(world);
	await lists.next(["J1001", "J1002"]);
	await using redis = await startRedis();
	await using home = openHome();
	const login = world.nats.login("gateway");
	const port = await freePort();
	const gateway = home.children.launch({
		name: "gateway",
		program: process.execPath,
		args: mainArguments("gateway"),
		cwd: root,
		env: {
			...process.env,
			...{ HOST: "127.0.0.1", PORT: String(port), HEALTH_HOST: "127.0.0.1", DRAIN_MS: String(drainMs) },
			...{ NATS_URL: world.nats.url, REDIS_URL: redis.url },
			...(login !== undefined && { NATS_USER: login.user, NATS_PASSWORD: login.password }),
			...{ ANONYMOUS_PER_MINUTE: "0", EVENT_STREAMS_PER_CALLER: "1000" },
		},
	});
	const url = `http://127.0.0.1:${port}/changes/stream?include=row&after=0`;
	await eventually(async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok, { withinMs: 30_000 });
	const newest = await lists.newest();
	const streams = Array.from({ length: clients }, () => read(url));
	await eventually(() => {
		for (const { text } of streams) expect(text()).toContain(`\nid: ${newest}\n`.slice(1));
		return true;
	});
	const stoppedAt = performance.now();
	process.kill(gateway.pid, "SIGTERM");
	// Each body has an end; one that is cut off rejects.
	const ends = await Promise.all(streams.map(({ end }) => end));
	const { code } = await gateway.exited;
	expect(code).toBe(0);
	expect(performance.now() - stoppedAt).toBeLessThan(drainMs);
	await lists.next(["J1001", "J1003"]);
	const now = await lists.newest();
	for (const text of ends) {
		// Whole events, to the last byte.
		expect(text.endsWith("\n\n")).toBe(true);
		const ids = idsOf(text);
		expect(ids).toEqual(Array.from({ length: newest }, (_, at) => at + 1));
	}
	const last = [...(ends[0] ?? "").matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? "";
	using resumed = follow(`${world.url}/changes/stream?include=row&after=0`, { lastEventId: last });
	await eventually(() => expect(resumed.ids().at(-1)).toBe(now));
	expect(resumed.ids()).toEqual(Array.from({ length: now - newest }, (_, at) => newest + 1 + at));
});

const idsOf = (text: string): number[] => [...text.matchAll(/^id: (\d+)\nevent: /gm)].map(([, id]) => Number(id));

/** Everything that a stream sends, until its end. */
function read(url: string): { text(): string; end: Promise<string> } {
	let text = "";
	const end = (async () => {
		const answer = await fetch(url);
		if (answer.status !== 200 || answer.body === null) throw new Error(`${answer.status}`);
		for await (const part of answer.body.pipeThrough(new TextDecoderStream())) text += part;
		return text;
	})();
	// Its error is thrown where it is awaited.
	end.catch(() => {});
	return { text: () => text, end };
}
