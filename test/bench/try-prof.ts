import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { ingestSnapshot } from "../../services/queue-ingest/jobs/ingest-snapshot.ts";
import { startBench } from "./system.ts";
import { asFile, nextDay, pjmList } from "./pjm-list.ts";
await using bench = await startBench(() => {});
const list = pjmList();
const files = [0,1,2,3].map((d) => asFile(d === 0 ? list : nextDay(list, d)));
console.log(files[0]!.bytes.length);
await using sql = await bench.emptyDatabase();
const run = async (d: number) => { const marks: any[] = []; const t = performance.now();
 await ingestSnapshot(sql, { region: "PJM", files: [{ ...files[d]!, path: "x" }], asOf: new Date(Date.UTC(2026, 0, 1 + d)).toISOString(), onProgress: (s) => marks.push(s.split(" ")[0] + ":" + Math.round(performance.now()-t)) }); console.log(marks.join(" ")); };
await bench.emptyDatabase().then(async (s) => { await ingestSnapshot(s, { region: "PJM", files: [{ ...files[0]!, path: "x" }], asOf: "2026-01-01T00:00:00Z" }); await s.end(); });
const log = `${bench.directory}/logs/postgres.log`;
// log durations
const dbname = (await sql`select current_database() as d`)[0]!.d;
import("node:child_process");
const admin = bench.adminUrl!;
import { connect } from "#libs/postgres/connect.ts";
{ await using a = connect(admin, { schema: "public", name: "x", max: 1 }); await a.unsafe("alter system set log_min_duration_statement = 4"); await a.unsafe("alter system set log_parameter_max_length = 0"); await a`select pg_reload_conf()`; }
await new Promise((r) => setTimeout(r, 1200));
const show = (from: number) => console.log(readFileSync(log, "utf8").slice(from).split("\n").filter((l) => l.includes("duration:")).map((l) => l.replace(/.*duration:/, "").replace(/\s+/g, " ").slice(0, 130)).join("\n"));
for (const d of [0, 1, 2]) {
	const from = readFileSync(log, "utf8").length;
	const session = new Session(); session.connect();
	await session.post("Profiler.enable"); await session.post("Profiler.setSamplingInterval", { interval: 500 }); await session.post("Profiler.start");
	await run(d);
	const { profile } = await session.post("Profiler.stop");
	const self = new Map<string, number>();
	const dt = profile.timeDeltas!; const byId = new Map(profile.nodes.map((n) => [n.id, n]));
	profile.samples!.forEach((id, i) => { const n = byId.get(id)!; const k = n.callFrame.functionName + " " + n.callFrame.url.split("/").slice(-2).join("/") + ":" + n.callFrame.lineNumber; self.set(k, (self.get(k) ?? 0) + dt[i]! / 1000); });
	console.log("== day", d); show(from);
	console.log([...self].sort((a, b) => b[1] - a[1]).slice(0, 14).map(([k, v]) => `${v.toFixed(0)} ${k}`).join("\n"));
}
