/** Derives facts from a comparison of a row with the request's previous row. */
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Source } from "../../sources/source.ts";
import { additionTo, type PlantPart } from "../addition.ts";
import { filedColumn } from "./apply-evidence.ts";

/** A queue date that moves by at most this many days is a correction, not a new date (PJM corrects dates by a day or two). */
const maxCorrectionDays = 31;

/** Expects `staged`. `base`: the table that the list is compared with. */
export async function compareWithPast(tx: Transaction, source: Source, base: string): Promise<void> {
	// A new queue date does not make a request younger, so the first one is kept.
	await tx`
		update staged s set queue_date = p.queue_date, queue_date_current = s.queue_date
		from ${tx(base)} p where p.id = s.id and p.queue_date < s.queue_date - ${maxCorrectionDays}::integer`;
	if (source.reopens) await markModifications(tx, base);
}

interface Reopened {
	id: string;
	oldParts: PlantPart[];
	newParts: PlantPart[];
	known: string | null;
}

/** Marks reopened requests of operating plants as modifications, because they add parts to these plants. */
async function markModifications(tx: Transaction, base: string): Promise<void> {
	const reopened = await tx<Reopened[]>`
		select s.id, p.components as "oldParts", s.components as "newParts", ${tx.unsafe(filedColumn("p", "added_type_std"))} as known
		from staged s join ${tx(base)} p using (id)
		where s.status_std in ('Active', 'Suspended') and (${tx.unsafe(filedColumn("p", "request_class"))} = 'modification'
			or ${tx.unsafe(filedColumn("p", "status_std"))} = 'Operational')`;
	const additions = reopened.map(({ id, oldParts, newParts, known }) => ({
		id,
		...additionTo(oldParts, newParts, known),
	}));
	await tx`
		update staged s set request_class = 'modification', added_type_std = t.type, incremental_mw = t.mw
		from jsonb_to_recordset(${JSON.stringify(additions)}::text::jsonb) as t (id text, type text, mw float8) where t.id = s.id`;
}
