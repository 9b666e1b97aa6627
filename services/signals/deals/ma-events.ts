/** The table of changes of hands: brought to a wanted state as a set, and published where it differs. */
import type { z } from "zod";
import { ownershipChanged } from "#libs/contract/events/signals.ts";
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { publishCurrent } from "#libs/postgres/republish.ts";

type Payload = z.output<typeof ownershipChanged.payload>;

/** A change of hands as it should stand. */
export interface MaEvent extends Omit<Payload, "id" | "occurred_at" | "version" | "ma_event_id" | "retracted"> {
	/** Of what it is: the same key is the same event, whatever else is known of it by now. */
	key: string;
	asset_class: "operating" | "queue_project";
	queue_id: string | null;
	asset_name: string | null;
	state: string | null;
	reason: string;
}

/** Changes of hands are judged against each other: one transaction at a time, from its first statement on. */
export async function lockMaEvents(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':ma', 0))`;
}

/**
 * Stores the wanted events, and retracts those of the keys `current` that are not wanted. An event that is new, differs or is retracted
 * is published with its next version.
 */
export async function settleMaEvents(tx: Transaction, wanted: MaEvent[], current: string[]): Promise<void> {
	const stored = await store(tx, wanted);
	const keys = new Set(wanted.map(({ key }) => key));
	const unwanted = current.filter((key) => !keys.has(key));
	const retracted = await tx<{ id: number }[]>`
		update ma_events set retracted = true, version = version + 1, recorded_at = now()
		where key = any(${unwanted}) and not retracted
		returning id`;
	const changed = [...stored, ...retracted].map(({ id }) => id);
	if (changed.length === 0) return;
	await publishCurrent(tx, ownershipChanged, maEvents(tx, tx`id = any(${changed})`), {});
	await raiseDataVersion(tx);
}

async function store(tx: Transaction, wanted: MaEvent[]): Promise<{ id: number }[]> {
	if (wanted.length === 0) return [];
	return tx<{ id: number }[]>`
		insert into ma_events as t (key, event_type, asset_class, effective_on, plant_id, generator_id, project_id, queue_id, region,
			asset_name, capacity_mw, technology, state, seller, seller_canonical, buyer, buyer_canonical, fraction_owned, source,
			confidence, reason)
		select key, event_type, asset_class, effective_date, plant_id_eia, generator_id, project_id, queue_id, region,
			asset_name, capacity_mw, technology, state, seller, seller_canonical, buyer, buyer_canonical, fraction_owned, source,
			confidence, reason
		from jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as w (key text, event_type text, asset_class text,
			effective_date date, plant_id_eia integer, generator_id text, project_id text, queue_id text, region text,
			asset_name text, capacity_mw float8, technology text, state text, seller text, seller_canonical text, buyer text,
			buyer_canonical text, fraction_owned float8, source text, confidence text, reason text)
		on conflict (key) do update set (asset_name, capacity_mw, technology, state, seller, seller_canonical, buyer,
				buyer_canonical, fraction_owned, confidence, reason, retracted, version, recorded_at)
			= (excluded.asset_name, excluded.capacity_mw, excluded.technology, excluded.state, excluded.seller,
				excluded.seller_canonical, excluded.buyer, excluded.buyer_canonical, excluded.fraction_owned, excluded.confidence,
				excluded.reason, false, t.version + 1, now())
			where (t.asset_name, t.capacity_mw, t.technology, t.state, t.seller, t.seller_canonical, t.buyer,
				t.buyer_canonical, t.fraction_owned, t.confidence, t.reason, t.retracted)
			is distinct from (excluded.asset_name, excluded.capacity_mw, excluded.technology, excluded.state, excluded.seller,
				excluded.seller_canonical, excluded.buyer, excluded.buyer_canonical, excluded.fraction_owned, excluded.confidence,
				excluded.reason, false)
		returning id`;
}

/** The events of the rows that fulfil a condition, as `publishCurrent` reads them. */
export const maEvents = (tx: Transaction, condition: Fragment): Fragment => tx`
	select id as key, version, jsonb_build_object('ma_event_id', id, 'event_type', event_type, 'effective_date', effective_on,
		'plant_id_eia', plant_id, 'generator_id', generator_id, 'project_id', project_id, 'region', region,
		'capacity_mw', capacity_mw, 'technology', technology, 'seller', seller, 'seller_canonical', seller_canonical,
		'buyer', buyer, 'buyer_canonical', buyer_canonical, 'fraction_owned', fraction_owned, 'source', source,
		'confidence', confidence, 'retracted', retracted) as body
	from ma_events where ${condition}`;
