import { ingestSnapshot } from "../../services/queue-ingest/jobs/ingest-snapshot.ts";
import { factColumns } from "../../services/queue-ingest/domain/columns.ts";
import { startBench } from "./system.ts";
import { asFile, nextDay, pjmList } from "./pjm-list.ts";
await using bench = await startBench(console.log);
const list = pjmList();
console.log(list.length);
async function take(sql: any, day: number, file: any) {
	const marks: [string, number][] = [];
	const t = performance.now();
	const r = await ingestSnapshot(sql, { region: "PJM", files: [{ ...file, path: file.name }], asOf: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(), onProgress: (s) => marks.push([s.split(" ")[0]!, performance.now()]) });
	const end = performance.now();
	const phases: Record<string, number> = {};
	let last = ["hash", t] as [string, number];
	for (const m of [...marks, ["end", end] as [string, number]]) { phases[last[0]] = Math.round(m[1] - last[1]); last = m; }
	console.log(r.outcome, r.reason, r.rows, r.new, r.changed, Math.round(end - t), JSON.stringify(phases));
	return end-t;
}
const facts = factColumns.map((c) => c.name).join(", ");
const files = [0,1,2,3].map((d) => asFile(d === 0 ? list : nextDay(list, d)));
for (let i = 0; i < 3; i++) {
	await using sql = await bench.emptyDatabase();
	await take(sql, 0, files[0]);
	const rows = `select id, key, queue_id, false as is_new, false as renumbered, false as partial, row_hash, raw, ${facts} from projects`;
	const chunks: Buffer[] = [];
	for await (const c of await sql.unsafe(`copy (${rows}) to stdout`).readable()) chunks.push(c as Buffer);
	const bytes = Buffer.concat(chunks);
	for (let k = 0; k < 3; k++) {
		await sql.unsafe(`drop table if exists bare; create table bare as ${rows} with no data; alter table bare add primary key (id)`);
		const t = performance.now();
		const w = await sql.unsafe("copy bare from stdin").writable();
		await new Promise<void>((res, rej) => { w.on("finish", res); w.on("error", rej); w.end(bytes); });
		console.log("copy", bytes.length, Math.round(performance.now() - t));
	}
	for (const d of [1,2,3]) await take(sql, d, files[d]);
	await take(sql, 4, files[3]);
}
