/** `npm run up` goes on without Redis, and starts it again. */

import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { freePort } from "../../deploy/local/data-dir.ts";
import { startRedis } from "../../deploy/local/redis.ts";
import { findServers } from "../../deploy/local/server-programs.ts";
import { supervise } from "../../deploy/local/supervise.ts";
import { eventually } from "../support/eventually.ts";
import { openHome, pidOf } from "../support/home.ts";

test("a killed Redis is restarted at the same address and logged; a failed start is reported and retried", async () => {
	await using stack = new AsyncDisposableStack();
	const { directory, children } = stack.use(openHome());
	const options = { port: await freePort(), password: "test" };
	const lines: string[] = [];
	let isDiskFull = false;
	const { url } = await supervise(children, {
		name: "redis",
		async start() {
			if (isDiskFull) throw Object.assign(new Error("write"), { code: "ENOSPC" });
			return await startRedis(children, directory, findServers()["redis-server"], options);
		},
		say: (line) => lines.push(line),
	});
	const first = pidOf(children, "redis");
	isDiskFull = true;
	process.kill(first, "SIGKILL");
	await eventually(() => lines.length === 2);
	isDiskFull = false;
	const client = stack.adopt(new Redis(url, { maxRetriesPerRequest: null }), (it) => it.disconnect());
	client.on("error", () => {});
	const [pid] = /(?<=process_id:)\d+/.exec(await client.info("server")) ?? [];
	expect(pid).toBe(String(pidOf(children, "redis")));
	expect(pid).not.toBe(String(first));
	expect(lines).toEqual([
		expect.stringMatching(/^redis stopped \(SIGKILL\)[\s\S]*\nStarting redis again in 0\.5 s\.$/),
		"The disk is full.\nStarting redis again in 1 s.",
	]);
});
