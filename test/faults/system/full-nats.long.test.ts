/** NATS whose disk was full, or that hangs: it is started anew, with what it had acknowledged, and one that is well is not started again. */
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { streamsRespond } from "#libs/bus/jetstream.ts";
import { operator } from "../../../deploy/engines/nats-users.ts";
import { freePort } from "../../../deploy/local/data-dir.ts";
import { startNats } from "../../../deploy/local/nats.ts";
import { findServers } from "../../../deploy/local/server-programs.ts";
import { supervise } from "../../../deploy/local/supervise.ts";
import { eventually } from "../../support/eventually.ts";
import { openHome, signal } from "../../support/home.ts";
import { fillDisk, freeDisk, mountSmallDisk, whyNoSmallDisk } from "./small-disk.ts";

const login = { user: operator, password: "test" };

/** Looked after as `npm run up` does it, with less patience. */
async function openKept(diskMb?: number) {
	await using stack = new AsyncDisposableStack();
	const mount = diskMb === undefined ? undefined : (directory: string) => mountSmallDisk(directory, diskMb);
	const { directory, children } = stack.use(openHome(mount));
	const port = await freePort();
	const program = findServers()["nats-server"];
	const lines: string[] = [];
	const pids: number[] = [];
	const url = `nats://127.0.0.1:${port}`;
	await supervise(children, {
		name: "nats",
		async start() {
			const options = { port, passwords: { [operator]: login.password } };
			const started = await startNats(children, directory, program, options);
			pids.push(started.child.pid);
			return started;
		},
		isWell: () => streamsRespond({ url, ...login, withinMs: 2_000 }),
		say: (line) => lines.push(line),
		everyMs: 200,
		delaysMs: [20],
	});
	const owned = stack.move();
	return { directory, url, pids, lines, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function withStreams<T>(url: string, act: (nats: Awaited<ReturnType<typeof connect>>) => Promise<T>): Promise<T> {
	const nats = await connect({ servers: url, user: login.user, pass: login.password, reconnect: false });
	try {
		return await act(nats);
	} finally {
		await nats.close();
	}
}

const makeStream = (url: string) =>
	withStreams(url, async (nats) => {
		const manager = await jetstreamManager(nats);
		await manager.streams.add({ name: "KEPT", subjects: ["kept.>"] });
	});

/** Answers how many were acknowledged; ends at the first that was not, which the server may not answer at all. */
const publish = (url: string, most: number) =>
	withStreams(url, async (nats) => {
		const client = jetstream(nats, { timeout: 1_000 });
		const payload = new Uint8Array(64 * 1024);
		for (let count = 0; count < most; count++) {
			try {
				await client.publish("kept.one", payload);
			} catch {
				return count;
			}
		}
		return most;
	});

const stored = (url: string) =>
	withStreams(url, async (nats) => (await (await jetstreamManager(nats)).streams.info("KEPT")).state.messages);

const reason = whyNoSmallDisk();

test.skipIf(reason !== undefined)(
	`a stream whose disk was full takes events again when there is room, and has all that were acknowledged${reason === undefined ? "" : ` (SKIPPED: ${reason})`}`,
	async () => {
		await using kept = await openKept(40);
		await makeStream(kept.url);
		expect(await publish(kept.url, 5)).toBe(5);
		fillDisk(kept.directory);
		const more = await publish(kept.url, 1_000);
		expect(more).toBeLessThan(1_000);
		freeDisk(kept.directory);
		await eventually(async () => (await publish(kept.url, 1)) === 1, { withinMs: 60_000, everyMs: 500 });
		expect(await stored(kept.url)).toBeGreaterThanOrEqual(5 + more + 1);
	},
);

test("a NATS server that is killed or does not respond for its streams is restarted with its data; a responding one is not", async () => {
	await using kept = await openKept();
	await makeStream(kept.url);
	expect(await publish(kept.url, 3)).toBe(3);
	const [first = 0] = kept.pids;
	expect(kept.lines).toEqual([]);
	process.kill(first, "SIGSTOP");
	await eventually(() => kept.pids.length === 2, { withinMs: 60_000 });
	await eventually(async () => (await stored(kept.url)) === 3, { withinMs: 20_000 });
	expect(kept.lines).toHaveLength(1);
	signal(kept.pids.at(-1) ?? 0, "SIGKILL");
	await eventually(() => kept.pids.length === 3);
	expect(await stored(kept.url)).toBe(3);
});
