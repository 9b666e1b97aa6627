/** The table `ma_events`: plants and queue positions that changed hands. Every change of a row is published. */
import type { z } from "zod";
import { ownershipChanged } from "#libs/contract/events/signals.ts";
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { publishCurrent } from "#libs/postgres/events/outbox.ts";

export interface MaEvent
	extends Omit<
		z.output<typeof ownershipChanged.payload>,
		"id" | "occurred_at" | "version" | "ma_event_id" | "retracted" | "effective_date" | "plant_id_eia"
	> {
	/** Identifies the event. The key does not change when the facts do. */
	key: string;
	asset_class: "operating" | "queue_project";
	effective_on: string;
	plant_id: number | null;
	queue_id: string | null;
	asset_name: string | null;
	state: string | null;
	reason: string;
}

/** Allows one transaction at a time, because deals are judged against each other. */
export async function lockMaEvents(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':ma', 0))`;
}

/**
 * Stores the wanted events and retracts the stored events whose keys are in `current` but not wanted. An event that is new, changed or
 * retracted is published with its next version.
 */
export async function settleMaEvents(tx: Transaction, wanted: MaEvent[], current: string[]): Promise<void> {
	const stored = await upsertEvents(tx, wanted);
	const keys = new Set(wanted.map(({ key }) => key));
	const unwanted = current.filter((key) => !keys.has(key));
	const retracted = await tx<{ id: number }[]>`
		update ma_events set retracted = true, version = version + 1, recorded_at = now()
		where key = any(${unwanted}) and not retracted
		returning id`;
	const changed = [...stored, ...retracted].map(({ id }) => id);
	if (changed.length === 0) return;
	await publishCurrent(tx, ownershipChanged, selectMaEvents(tx, tx`id = any(${changed})`), {});
	await raiseDataVersion(tx);
}

const facts =
	"asset_name, capacity_mw, technology, state, seller, seller_canonical, buyer, buyer_canonical, fraction_owned, confidence, reason";
const columns = `key, event_type, asset_class, effective_on, plant_id, generator_id, project_id, queue_id, region, source, ${facts}`;
const factsOf = (table: string) => facts.replaceAll(/\w+/g, `${table}.$&`);

/** Returns the events that are new or differ. */
async function upsertEvents(tx: Transaction, wanted: MaEvent[]): Promise<{ id: number }[]> {
	if (wanted.length === 0) return [];
	return tx.unsafe<{ id: number }[]>(
		`insert into ma_events as t (${columns}) select ${columns} from jsonb_populate_recordset(null::ma_events, $1::text::jsonb)
		on conflict (key) do update set (${facts}, retracted, version, recorded_at) = (${factsOf("excluded")}, false, t.version + 1, now())
			where (${factsOf("t")}, t.retracted) is distinct from (${factsOf("excluded")}, false)
		returning id`,
		[JSON.stringify(wanted)],
	);
}

/** Query for `publishCurrent`: the events of the rows that satisfy the condition. */
export const selectMaEvents = (tx: Transaction, condition: Fragment): Fragment => tx`
	select id as key, version, jsonb_build_object('ma_event_id', id, 'event_type', event_type, 'effective_date', effective_on,
		'plant_id_eia', plant_id, 'generator_id', generator_id, 'project_id', project_id, 'region', region,
		'capacity_mw', capacity_mw, 'technology', technology, 'seller', seller, 'seller_canonical', seller_canonical,
		'buyer', buyer, 'buyer_canonical', buyer_canonical, 'fraction_owned', fraction_owned, 'source', source,
		'confidence', confidence, 'retracted', retracted) as body
	from ma_events where ${condition}`;
