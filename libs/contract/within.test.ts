import { setImmediate as turn } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { within } from "./within.ts";

describe("waiting within a time", () => {
	it("ends without a result if none arrives", async () => {
		expect(await within(new Promise(() => {}), 1)).toBeUndefined();
	});

	it("passes on the result, even undefined, and the failure", async () => {
		expect(await within(Promise.resolve(undefined), 1_000)).toEqual({ value: undefined });
		await expect(within(Promise.reject(new Error("no")), 1_000)).rejects.toThrow("no");
	});

	it("accepts a result that arrived while this process was busy", async () => {
		// From here the timers' turn comes before the messages'.
		await turn();
		const { port1, port2 } = new MessageChannel();
		const answer = new Promise((resolve) => {
			port1.once("message", resolve);
		});
		const waiting = within(answer, 5);
		port2.postMessage("here");
		const until = performance.now() + 50;
		while (performance.now() < until);
		expect(await waiting).toEqual({ value: "here" });
		port1.close();
	});
});
