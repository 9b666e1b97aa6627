import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { readInThread } from "./in-thread.ts";
import { StructureError } from "./structure-error.ts";

let reader: URL;
beforeAll(() => {
	const path = join(mkdtempSync(join(tmpdir(), "energy-thread-")), "reader.ts");
	const library = JSON.stringify(new URL("./in-thread.ts", import.meta.url).href);
	const faults = JSON.stringify(new URL("./structure-error.ts", import.meta.url).href);
	writeFileSync(
		path,
		`import { threadId } from "node:worker_threads";
		import { answerInThread } from ${library};
		import { StructureError } from ${faults};
		answerInThread(async (task: string) => {
			if (task === "broken") throw new StructureError("it is cut off");
			if (task === "fault") throw new Error("a fault of ours");
			if (task === "end") process.exit(7);
			if (task === "bomb") for (const all: string[][] = []; ; ) all.push(Array(1e6).fill(String(all.length)));
			return [task, threadId];
		});`,
	);
	reader = pathToFileURL(path);
});

const read = (task: string) => readInThread<[string, number]>(reader, "list.csv", task);

test("consecutive files are read by one thread, concurrent files by one thread each", async () => {
	const [first, thread] = await read("a");
	expect(first).toBe("a");
	expect(await read("b")).toEqual(["b", thread]);
	const [[, one], [, other]] = await Promise.all([read("c"), read("d")]);
	expect(one).not.toBe(other);
});

test("a damaged file is distinguished from a bug, and the thread continues", async () => {
	await expect(read("broken")).rejects.toThrow(new StructureError("it is cut off"));
	await expect(read("broken")).rejects.toBeInstanceOf(StructureError);
	await expect(read("fault")).rejects.not.toBeInstanceOf(StructureError);
	expect((await read("e"))[0]).toBe("e");
});

test("a file that ends its thread or takes all memory is refused, and the next one is read", async () => {
	await expect(read("end")).rejects.toThrow(
		"list.csv: the thread that reads the file exited with code 7 before it returned a result",
	);
	expect((await read("f"))[0]).toBe("f");
	await expect(read("bomb")).rejects.toThrow("list.csv: reading took more than 448 MiB");
	expect((await read("g"))[0]).toBe("g");
});
