/** Compares operators' lists with other publishers' records, and stores the result until a list, an edition or a rule changes. */

import { hash } from "node:crypto";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { regions } from "#libs/contract/vocabulary.ts";
import { readInThread } from "#libs/files/in-thread.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { operators } from "../../queues/sources/index.ts";
import { archivedBytes } from "../../sources/archive.ts";
import { compareWithEia860 } from "./against-eia860.ts";
import type { ErcotTotals } from "./ercot-summary.ts";
import { judgeRequests } from "./judge-requests.ts";
import { compareTotals } from "./line.ts";
import { findListDay, readListed, readOurs } from "./read-requests.ts";
import { rules } from "./rules.ts";
import { type Reconciliation, sumLines } from "./sum-lines.ts";

/** Increase this when a rule change alters the result for the same files. */
const rulesVersion = 1;

/** Returns false if nothing has been loaded since the last run. */
export async function reconcile(sql: Sql, now: Date): Promise<boolean> {
	const compared = await sql.begin("isolation level repeatable read read only", compare);
	if (compared === null) return false;
	const { basis, comparisons } = compared;
	// Writes in a separate transaction, because the snapshot of the reads would conflict with a transaction that raises the data version meanwhile.
	await sql.begin(async (tx) => {
		await tx`
			insert into reconciled_editions (basis, computed_at) values (${basis}, ${now.toISOString()})
			on conflict (only_row) do update set basis = excluded.basis, computed_at = excluded.computed_at`;
		await tx`delete from reconciliations`;
		await tx`
			insert into reconciliations (source, region, place, body)
			select one.value ->> 'source', one.value ->> 'region', one.place, one.value
			from jsonb_array_elements(${JSON.stringify(comparisons)}::text::jsonb) with ordinality as one (value, place)`;
		await raiseDataVersion(tx);
	});
	return true;
}

async function compare(tx: Transaction): Promise<{ basis: string; comparisons: Reconciliation[] } | null> {
	const basis = await readBasis(tx);
	const [stored] = await tx`select from reconciled_editions where basis = ${basis}`;
	if (stored !== undefined) return null;
	const comparisons = [
		...(await compareWithLbnl(tx)),
		...(await compareWithEia860(tx)),
		...(await compareWithOperators(tx)),
	];
	return { basis, comparisons };
}

async function readBasis(tx: Transaction): Promise<string> {
	const [row] = await tx<{ basis: string }[]>`
		select concat_ws(' ', ${`${rulesVersion}-${hash("sha256", JSON.stringify(rules))}`}::text, eia_editions(), (select editions from linked_editions),
			(select applied_sha256 from feeds where feed = 'lbnl'),
			(select concat(max(id), '-', count(*)) from snapshots where outcome in ('applied', 'backfilled', 'retracted'))) as basis`;
	return row?.basis ?? "";
}

const everyMs = 5 * 60_000;

export const reconcileJob = (sql: Sql, log: Logger, now: () => Date): AsyncDisposable =>
	schedule({
		name: "reconcile",
		everyMs,
		jitterMs: 30_000,
		sql,
		log,
		async run() {
			if (await reconcile(sql, now())) log.info("the lists were compared with other publishers' records");
		},
	});

const partColumns = ["MW-1", "MW-2", "MW-3"];

const lbnlNotes = [
	"q_status: active, suspended, withdrawn, operational (2020: completed). The edition's day is the end of its year, or the newest date in it where the file states none.",
	"mw_1 to mw_3 are the parts of a request; their sum is what the publisher's own totals count. Capacities of some editions are whole MW.",
	"The edition's PJM queue includes transmission service. If several requests of ISO-NE or NYISO have one number, it lists one or a few of them.",
	"If only a part of an edition is loaded, its other requests count as missing there.",
];

async function compareWithLbnl(tx: Transaction): Promise<Reconciliation[]> {
	const [edition] = await tx<{ day: string; sha256: string }[]>`
		select to_char(applied_as_of at time zone 'UTC', 'YYYY-MM-DD') as day, applied_sha256 as sha256 from feeds
		where feed = 'lbnl' and applied_as_of is not null`;
	if (edition === undefined) return [];
	const comparisons: Reconciliation[] = [];
	const loaded = (await tx<{ feed: string }[]>`select feed from feeds where applied_as_of is not null`).map(
		({ feed }) => feed,
	);
	for (const region of regions) {
		const listDay = await findListDay(tx, region, edition.day);
		const theirs = await readListed(tx, region);
		if (listDay === null || theirs.length === 0) continue;
		const { counted, known } = await readOurs(tx, region, listDay, partColumns);
		const listsOnlyOpen = operators[region].lists.every(
			({ feed, coverage }) => coverage === "active-only" || !loaded.includes(feed),
		);
		const lines = judgeRequests({ edition: edition.day, listDay, listsOnlyOpen, ours: counted, known, theirs });
		comparisons.push({
			source: "lbnl",
			region,
			title: "LBNL Queued Up",
			edition: edition.day,
			compared_on: listDay,
			sha256: edition.sha256,
			...sumLines(lines),
			notes: lbnlNotes,
		});
	}
	return comparisons;
}

const ercotNotes = [
	"Sheet Summary of the report: requests that are under study, by milestone; inactive, cancelled and commissioned ones are not in it. Only status Active is compared.",
	"Requests without a requested full study, and small generators before their model is ready, are in the sums but in no sheet of requests.",
];

async function compareWithOperators(tx: Transaction): Promise<Reconciliation[]> {
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
			...sumLines(compareTotals(totals, open)),
			notes: ercotNotes,
		},
	];
}

export function getReconciliation(sql: Sql): Handler<"getReconciliation"> {
	return async ({ region, source }) =>
		oneJsonReply<Reply<"getReconciliation">>(
			sql,
			sql`
			select json_build_object(
				'computed_at', (select iso(computed_at) from reconciled_editions),
				'data', coalesce((select json_agg(r.body order by r.place) from reconciliations r
					where ${region === undefined ? sql`true` : sql`r.region = any(${region})`}
						and ${source === undefined ? sql`true` : sql`r.source = any(${source})`}), '[]'),
				'rules', ${JSON.stringify(rules)}::text::json)`,
		);
}
