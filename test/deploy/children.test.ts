/** Processes that are started where nothing can be written down about them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Children } from "../../deploy/local/children.ts";
import { eventually } from "../support/eventually.ts";

/** Of all that run, where the system shows them as files. */
const commandLines = (): string[] =>
	readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.flatMap((pid) => {
			try {
				return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
			} catch {
				return [];
			}
		});

test.skipIf(process.platform !== "linux")("a process that cannot be recorded is not left running", async () => {
	const directory = mkdtempSync(join(tmpdir(), "energy-children-"));
	const children = new Children(directory);
	// In the place of the record's file.
	mkdirSync(join(directory, "pids", "lost.json"));
	const seconds = `60.${process.pid}`;
	const isRunning = () => commandLines().some((line) => line.includes(seconds));
	try {
		expect(() => children.launch({ name: "lost", program: "sleep", args: [seconds] })).toThrow(/EISDIR/);
		await eventually(() => !isRunning());
		const kept = children.launch({ name: "kept", program: "sleep", args: [seconds] });
		await eventually(isRunning);
		await kept.stop();
	} finally {
		await children.close();
		rmSync(directory, { recursive: true });
	}
});
