/** Processes that are started where nothing can be written down about them, and what they write. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Children } from "../../deploy/local/children.ts";
import { eventually } from "../support/eventually.ts";

/** Command lines of all processes, where the system shows them as files. */
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

function openChildren(logBytes?: number) {
	const directory = mkdtempSync(join(tmpdir(), "energy-children-"));
	const children = new Children(directory, logBytes);
	return {
		...{ directory, children },
		async [Symbol.asyncDispose]() {
			await children.close();
			rmSync(directory, { recursive: true });
		},
	};
}

test.skipIf(process.platform !== "linux")("a process that cannot be recorded is stopped", async () => {
	await using opened = openChildren();
	const { directory, children } = opened;
	// The place of the record's file.
	mkdirSync(join(directory, "pids", "lost.json"));
	const seconds = `60.${process.pid}`;
	const isRunning = () => commandLines().some((line) => line.includes(seconds));
	expect(() => children.launch({ name: "lost", program: "sleep", args: [seconds] })).toThrow(/EISDIR/);
	await eventually(() => !isRunning());
	const kept = children.launch({ name: "kept", program: "sleep", args: [seconds] });
	await eventually(isRunning);
	await kept.stop();
});

test("the log of a process is bounded and contains its last lines", async () => {
	await using opened = openChildren(200_000);
	const { directory, children } = opened;
	const program = `
		let n = 0;
		setInterval(() => {
			let lines = "";
			for (let i = 0; i < 400; i++) lines += String(n++).padStart(9, "0") + "\\n";
			require("node:fs").writeSync(1, lines);
		}, 10);`;
	const child = children.launch({ name: "writer", program: process.execPath, args: ["-e", program] });
	const logs = join(directory, "logs");
	const numbers = (name: string) =>
		readFileSync(join(logs, name), "latin1")
			.split("\n")
			.filter((line) => line !== "")
			.map(Number);
	// Some 400 KB a second; set aside often enough that what is oldest is gone.
	await eventually(() => (numbers("writer.log.1")[0] ?? 0) > 50_000);
	await child.stop();
	expect(readdirSync(logs).sort()).toEqual(["writer.log", "writer.log.1"]);
	const [before, now] = [numbers("writer.log.1"), numbers("writer.log")];
	const isUnbroken = (list: number[]) => list.every((number, at) => at === 0 || number === (list[at - 1] ?? 0) + 1);
	expect([isUnbroken(before), isUnbroken(now)]).toEqual([true, true]);
	// Nothing may have been written since the last file was set aside.
	expect(now[0] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(before.at(-1) ?? 0);
});

test("a restarted engine is stopped after the services that use it", async () => {
	await using opened = openChildren();
	const { children } = opened;
	const launch = (name: string) => children.launch({ name, program: "sleep", args: ["60"] });
	const ended: string[] = [];
	await launch("engine").stop();
	const service = launch("service");
	const engine = launch("engine");
	for (const child of [engine, service]) void child.exited.then(() => ended.push(child.name));
	await children.close();
	expect(ended).toEqual(["service", "engine"]);
});
