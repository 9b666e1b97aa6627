/** `npm run up` goes on without Redis, and starts it again. */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { type Child, Children } from "../../deploy/local/children.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { lockDirectory } from "../../deploy/local/lock.ts";
import { placeRedis } from "../../deploy/local/redis.ts";
import { findServers } from "../../deploy/local/server-programs.ts";
import { supervise } from "../../deploy/local/supervise.ts";
import { eventually } from "../support/eventually.ts";

async function superviseRedis(stack: AsyncDisposableStack, noted: (child: Child) => void = () => {}) {
	// The prefix and the lock let the next run clear up after one that was killed.
	const directory = realpathSync(mkdtempSync(join(tmpdir(), "energy-test-")));
	chmodSync(directory, 0o711);
	stack.defer(() => rmSync(directory, { recursive: true, force: true }));
	lockDirectory(directory);
	const children = new Children(directory);
	stack.defer(() => children.close());
	const redis = placeRedis(directory, findServers()["redis-server"], { port: await freePort(), password: "test" });
	const pids: number[] = [];
	const said: string[] = [];
	const started = (child: Child) => {
		pids.push(child.pid);
		noted(child);
	};
	await supervise(children, { ...redis, started }, (line) => void said.push(line));
	const kill = () => process.kill(pids.at(-1) ?? 0, "SIGKILL");
	return { redis, pids, said, kill };
}

test("a Redis that was killed is back at the same address, a line says so, and its new process is made known", async () => {
	await using stack = new AsyncDisposableStack();
	const { redis, pids, said, kill } = await superviseRedis(stack);
	kill();
	await eventually(async () => {
		expect(pids).toHaveLength(2);
		return redis.isReady();
	});
	const client = stack.adopt(new Redis(redis.url), (it) => it.disconnect());
	expect(await client.info("server")).toContain(`process_id:${pids[1]}`);
	expect(said).toEqual([expect.stringMatching(/^redis stopped \(SIGKILL\)[\s\S]*\nStarting redis again in 0\.5 s\.$/)]);
});

test("a start that cannot be noted down is reported, and the next one is tried all the same", async () => {
	await using stack = new AsyncDisposableStack();
	let isDiskFull = false;
	const { redis, pids, said, kill } = await superviseRedis(stack, () => {
		if (isDiskFull) throw Object.assign(new Error("write"), { code: "ENOSPC" });
	});
	isDiskFull = true;
	kill();
	await eventually(() => said.includes("Starting redis again went wrong: The disk is full."));
	isDiskFull = false;
	kill();
	await eventually(async () => {
		expect(pids).toHaveLength(3);
		return redis.isReady();
	});
});
