/** What an operator's list adds up to here against the totals that its own file states: ERCOT's alone states some. */
import { readInThread } from "#libs/files/in-thread.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { archivedBytes } from "../../../sources/archive.ts";
import type { ErcotTotals } from "../ercot-summary.ts";
import { judgeTotals } from "../judge-totals.ts";
import type { Reconciled } from "../reconciled.ts";
import { sumLines } from "../sum-lines.ts";
import { readOurs } from "./read-requests.ts";

const notes = [
	"Sheet Summary of the report: requests that are under study, by milestone; inactive, cancelled and commissioned ones are not in it. Status Active alone is compared.",
	"Requests of which no full study was asked for, and small generators before their model is ready, are in the sums but in no sheet of requests.",
];

export async function againstOperators(tx: Transaction): Promise<Reconciled[]> {
	const [file] = await tx<{ name: string; sha256: string; bytes: Buffer; day: string }[]>`
		select f.name, f.sha256, r.bytes, to_char(s.as_of at time zone 'UTC', 'YYYY-MM-DD') as day
		from snapshots s join snapshot_files f on f.snapshot_id = s.id and f.feed = 'ercot' join raw_files r using (sha256)
		where s.region = 'ERCOT' and s.outcome = 'applied' order by s.as_of desc, s.id desc limit 1`;
	if (file === undefined) return [];
	const { name, bytes, day, sha256 } = file;
	const totals = await readInThread<ErcotTotals | null>(new URL("./read-totals-worker.ts", import.meta.url), name, {
		bytes: await archivedBytes(bytes),
	});
	if (totals === null) return [];
	const { counted } = await readOurs(tx, "ERCOT", day, []);
	const open = counted.filter(({ status }) => status === "Active");
	return [
		{
			source: "operator",
			region: "ERCOT",
			title: "Generator Interconnection Status report, sheet Summary",
			edition: day,
			compared_on: day,
			sha256,
			...sumLines(judgeTotals(totals, open)),
			notes,
		},
	];
}
