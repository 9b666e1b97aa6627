/** Log lines of refused requests: seldom written, and counted anew each time. */
import fastify from "fastify";
import { pino } from "pino";
import { expect, test } from "vitest";
import { watchAccess } from "../../services/gateway/http/metrics.ts";

test("refusals are logged once a minute with their number, and a minute without any ends the count", async () => {
	const lines: { times?: number; path: string }[] = [];
	const log = pino({ level: "warn" }, { write: (line) => void lines.push(JSON.parse(line)) });
	const clock = { now: 1_000_000 };
	await using app = fastify();
	watchAccess(app, log, () => clock.now);
	app.get("/refused", (_request, reply) => reply.code(503).send());
	app.get("/kept", () => "kept");
	const ask = async (path: string, afterMs: number) => {
		clock.now += afterMs;
		await app.inject(path);
	};
	for (let at = 0; at < 130; at++) {
		await ask("/refused", 1_000);
		await ask("/kept", 0);
	}
	expect(lines.map(({ times }) => times)).toEqual([undefined, 61, 121]);
	// Quiet for a little less than a minute: it goes on. For longer: it was over.
	await ask("/refused", 59_000);
	expect(lines.map(({ times }) => times)).toEqual([undefined, 61, 121, 131]);
	await ask("/refused", 60_001);
	await ask("/refused", 1);
	await ask("/refused", 60_000);
	expect(lines.slice(4).map(({ times }) => times)).toEqual([undefined, 3]);
	expect(new Set(lines.map(({ path }) => path))).toEqual(new Set(["/refused"]));
});
