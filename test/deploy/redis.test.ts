/** `npm run up` goes on without Redis, and starts it again. */

import { Redis } from "ioredis";
import { expect, test } from "vitest";
import type { Child } from "../../deploy/local/children.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { startRedis } from "../../deploy/local/redis.ts";
import { findServers } from "../../deploy/local/server-programs.ts";
import { supervise } from "../../deploy/local/supervise.ts";
import { eventually } from "../support/eventually.ts";
import { openHome } from "../support/home.ts";

async function superviseRedis(stack: AsyncDisposableStack, noted: (child: Child) => void = () => {}) {
	const { directory, children } = stack.use(openHome());
	const options = { port: await freePort(), password: "test" };
	const pids: number[] = [];
	const said: string[] = [];
	const { url } = await supervise(children, {
		name: "redis",
		start: () => startRedis(children, directory, findServers()["redis-server"], options),
		started(child) {
			pids.push(child.pid);
			noted(child);
		},
		say: (line) => said.push(line),
	});
	const kill = () => process.kill(pids.at(-1) ?? 0, "SIGKILL");
	return { url, pids, said, kill };
}

test("a Redis that was killed is back at the same address, a line says so, and its new process is made known", async () => {
	await using stack = new AsyncDisposableStack();
	const { url, pids, said, kill } = await superviseRedis(stack);
	kill();
	await eventually(() => pids.length === 2);
	const client = stack.adopt(new Redis(url), (it) => it.disconnect());
	expect(await client.info("server")).toContain(`process_id:${pids[1]}`);
	expect(said).toEqual([expect.stringMatching(/^redis stopped \(SIGKILL\)[\s\S]*\nStarting redis again in 0\.5 s\.$/)]);
});

test("a start that cannot be noted down is reported, and the next one is tried all the same", async () => {
	await using stack = new AsyncDisposableStack();
	let isDiskFull = false;
	const { pids, said, kill } = await superviseRedis(stack, () => {
		if (isDiskFull) throw Object.assign(new Error("write"), { code: "ENOSPC" });
	});
	isDiskFull = true;
	kill();
	await eventually(() => said.includes("Starting redis again went wrong: The disk is full."));
	isDiskFull = false;
	kill();
	await eventually(() => pids.length === 3);
});
