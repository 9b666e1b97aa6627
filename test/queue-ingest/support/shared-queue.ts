import { afterAll, beforeAll } from "vitest";
import { openQueue, type Queue } from "./queue.ts";

/** A queue that the tests of a file or of a group share: opened and filled before the first of them, closed after the last. */
export function sharedQueue(fill: () => Promise<unknown> = async () => {}): Queue {
	let opened: Queue;
	beforeAll(async () => {
		opened = await openQueue();
		await fill();
	});
	afterAll(() => opened?.[Symbol.asyncDispose]());
	return new Proxy({} as Queue, {
		get: (_, name) => Reflect.get(opened, name),
		set: (_, name, value) => Reflect.set(opened, name, value),
	});
}
