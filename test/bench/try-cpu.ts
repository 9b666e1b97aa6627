import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { fillTo, loadLists, productSize } from "./fill.ts";
import { startBaseline } from "./reads.ts";
import { startBench } from "./system.ts";

await using bench = await startBench(() => {});
await loadLists(bench.sql, () => {});
await fillTo(bench.sql, productSize);
if (process.argv[2])
	for (const s of process.argv.slice(2)) {
		await bench.sql.unsafe(s);
	}
await bench.sql.unsafe("vacuum analyze projects");
const theirs = await startBaseline(bench);
const ours = Number(new URL(bench.url).port);
const run = promisify(execFile);
function cpu() {
	const by = new Map<string, number>();
	for (const pid of readdirSync("/proc").filter((p) => /^\d+$/.test(p)))
		try {
			const cmd = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
			const dir = bench.directory;
			let name: string | undefined;
			if (cmd.includes("baseline-server")) name = "baseline";
			else if (cmd.includes("services/gateway")) name = "gateway";
			else if (cmd.includes("services/queue-ingest/main")) name = "service";
			else if (cmd.includes("nats-server") && cmd.includes(dir)) name = "nats";
			else if (cmd.startsWith("postgres:")) name = "postgres";
			if (!name) continue;
			const f = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
			by.set(name, (by.get(name) ?? 0) + 10 * (Number(f[11]) + Number(f[12])));
		} catch {}
	return by;
}
let first = 1;
for (const path of [
	"/projects?state=TX&per_page=50&capacity_min=-0.{n}1",
	"/projects?state=TX&per_page=500&capacity_min=-0.{n}1",
])
	for (let r = 0; r < 3; r++)
		for (const [who, port] of [
			["ours", ours],
			["theirs", theirs],
		] as const) {
			first += 1e6;
			const a = cpu();
			const { stdout } = await run(process.execPath, [
				join(import.meta.dirname, "closed-loop.ts"),
				JSON.stringify({ port, path, connections: 24, seconds: 3, first }),
			]);
			const b = cpu();
			const { requests, seconds, p50 } = JSON.parse(stdout);
			console.log(
				path.slice(24, 36),
				who.padEnd(7),
				(requests / seconds).toFixed(0).padStart(5),
				"p50",
				p50,
				[...b]
					.map(([k, v]) => `${k} ${((v - (a.get(k) ?? 0)) / requests).toFixed(2)}`)
					.filter((s) => !s.endsWith(" 0.00"))
					.join("  "),
				"ms/request",
			);
		}
