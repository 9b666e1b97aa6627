import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("./idle-collection-process.ts", import.meta.url));

test("memory of a burst of work is released when the process is idle", {
	timeout: 90_000,
	tags: ["campaign"],
}, async () => {
	const child = spawn(process.execPath, ["--expose-gc", program], { stdio: ["ignore", "pipe", "inherit"] });
	try {
		const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
		const megabytes = async () => Number((await lines.next()).value);
		const [before, worked] = [await megabytes(), await megabytes()];
		expect(worked - before).toBeGreaterThan(60);
		// The process reports its memory twice a second.
		for (let now = worked; now - before > (worked - before) / 2; now = await megabytes()) expect(now).not.toBeNaN();
	} finally {
		child.kill("SIGKILL");
		await once(child, "exit");
	}
});
