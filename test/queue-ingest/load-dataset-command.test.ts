/** `npm run ingest` for related datasets: exit codes, what is said, and a folder of everything. */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { county, netMeteringFile, nyserdaFile, ohioFile } from "./support/dg.ts";
import { openQueue, type Queue } from "./support/queue.ts";

const program = new URL("../../services/queue-ingest/admin/ingest.ts", import.meta.url).pathname;

async function run(queue: Queue, ...args: string[]) {
	const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, POSTGRES_URL: queue.url } });
	const [out, said, code] = await Promise.all([
		buffer(child.stdout),
		buffer(child.stderr),
		new Promise<number | null>((resolve) => child.once("close", resolve)),
	]);
	const last = out.toString().trim().split("\n").at(-1) ?? "";
	return { code, said: said.toString(), outcome: last === "" ? undefined : JSON.parse(last) };
}

const rows = (count: number) =>
	Array.from({ length: count }, (_, at) => ({ ...county, year: 2024 - at, facilities: 1, kw: 10 }));

it("a folder is loaded whole, a broken file exits with 3, and is released with --accept", {
	timeout: 240_000,
}, async () => {
	await using queue = await openQueue();
	const folder = await mkdtemp(join(tmpdir(), "dg-"));
	const put = async (path: string, bytes: Uint8Array) => {
		await mkdir(dirname(join(folder, path)), { recursive: true });
		await writeFile(join(folder, path), bytes);
		return join(folder, path);
	};
	try {
		const netMetering = await netMeteringFile(2018, [{ state: "CA", id: 1, homes: [1, 1] }]);
		await put(netMetering.path, netMetering.bytes);
		await put("dg/2025-03-11/NYSERDA_DER.xlsx", (await nyserdaFile([{ id: 1 }])).bytes);
		await put("dg/ohio.csv", ohioFile(rows(10)).bytes);
		await put("dg/notes.csv", Buffer.from("what,ever\n1,2\n"));
		await put("cases/dg/ohio.csv", ohioFile(rows(12)).bytes);
		const loaded = await run(queue, "--data", folder);
		expect(loaded.code).toBe(0);
		expect(loaded.said).toContain(
			"ohio.csv: applied, Ohio distributed generation by area (PUCO, Central Ohio), current",
		);
		expect(loaded.said).toContain("notes.csv: not a file of any dataset of dg");
		expect(loaded.said).not.toContain("cases");
		expect((await queue.ask("listDg")).meta.total).toBe(12);

		const cut = await put("cut.csv", ohioFile(rows(4)).bytes);
		const held = await run(queue, "--source", "dg", cut);
		expect(held.code).toBe(3);
		expect(held.outcome).toMatchObject({ source: "dg", outcome: "quarantined", files: [{ feed: "puco-ohio-der" }] });

		const released = await run(queue, "--source", "dg", "--accept");
		expect(released.code).toBe(0);
		expect(released.outcome).toMatchObject({ outcome: "applied", files: [{ rows_stored: 4 }] });

		const nothing = await run(queue, "--source", "dg", join(folder, "none.csv"));
		expect([nothing.code, nothing.outcome.outcome]).toEqual([1, "failed"]);
	} finally {
		await rm(folder, { recursive: true });
	}
});
