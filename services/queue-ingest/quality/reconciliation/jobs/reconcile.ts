/** Compares what operators list with what others publish of it, and keeps the outcome until a list, an edition or a rule is another. */
import { hash } from "node:crypto";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import type { Reconciled } from "../reconciled.ts";
import { rules } from "../rules.ts";
import { againstEia860 } from "./against-eia860.ts";
import { againstLbnl } from "./against-lbnl.ts";
import { againstOperators } from "./against-operators.ts";

/** Raised where the same files would be compared otherwise. */
const edition = 1;

/** Answers false where nothing has been loaded since the last time. */
export async function reconcile(sql: Sql, now: Date): Promise<boolean> {
	const compared = await sql.begin("isolation level repeatable read read only", compare);
	if (compared === null) return false;
	const { basis, found } = compared;
	// Apart from what is read: a transaction of one snapshot could not raise a version that others raise meanwhile.
	await sql.begin(async (tx) => {
		await tx`
			insert into reconciled_editions (basis, computed_at) values (${basis}, ${now.toISOString()})
			on conflict (only_row) do update set basis = excluded.basis, computed_at = excluded.computed_at`;
		await tx`delete from reconciliations`;
		await tx`
			insert into reconciliations (source, region, place, body)
			select one.value ->> 'source', one.value ->> 'region', one.place, one.value
			from jsonb_array_elements(${JSON.stringify(found)}::text::jsonb) with ordinality as one (value, place)`;
		await raiseDataVersion(tx);
	});
	return true;
}

async function compare(tx: Transaction): Promise<{ basis: string; found: Reconciled[] } | null> {
	const basis = await basisOf(tx);
	const [same] = await tx`select from reconciled_editions where basis = ${basis}`;
	if (same !== undefined) return null;
	const found = [...(await againstLbnl(tx)), ...(await againstEia860(tx)), ...(await againstOperators(tx))];
	return { basis, found };
}

async function basisOf(tx: Transaction): Promise<string> {
	const [row] = await tx<{ basis: string }[]>`
		select concat_ws(' ', ${`${edition}-${hash("sha256", JSON.stringify(rules))}`}::text, eia_editions(), (select editions from linked_editions),
			(select applied_sha256 from feeds where feed = 'lbnl'),
			(select concat(max(id), '-', count(*)) from snapshots where outcome in ('applied', 'backfilled', 'retracted'))) as basis`;
	return row?.basis ?? "";
}

/** How often it is asked whether something else is loaded (ms). */
const everyMs = 5 * 60_000;

export const reconcileJob = (sql: Sql, log: Logger, now: () => Date): AsyncDisposable =>
	schedule({
		name: "reconcile",
		everyMs,
		jitterMs: 30_000,
		sql,
		log,
		async run() {
			if (await reconcile(sql, now())) log.info("the lists were compared with what others publish");
		},
	});
