/** Keeps who owned each generator in each year, and what changed hands from one year to the next. */
import type { z } from "zod";
import type { Reaction } from "#libs/bus/react.ts";
import { ownershipRecorded } from "#libs/contract/events/queue-ingest.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { lockMaEvents, type MaEvent, settleMaEvents } from "./ma-events.ts";
import { diffOwnership, type OwnershipChange } from "./ownership-diff.ts";
import type { OwnedGenerator } from "./ownership-shares.ts";

type Recorded = z.output<typeof ownershipRecorded.payload>;

export const recordOwnership: Reaction<typeof ownershipRecorded> = {
	service: "signals",
	name: "record-ownership",
	event: ownershipRecorded,
	async handler(tx, events) {
		await lockMaEvents(tx);
		const copied = await copy(tx, events);
		// A year is compared with the one before and the one after, whichever arrives first.
		const later = new Map(
			copied.flatMap(({ plant_id, year }) =>
				[year, year + 1].map((of) => [`${plant_id}:${of}`, { plantId: plant_id, year: of }] as const),
			),
		);
		await compare(tx, [...later.values()]);
	},
};

/** Answers the plants and years whose copy is another now. */
async function copy(tx: Transaction, events: Recorded[]): Promise<{ plant_id: number; year: number }[]> {
	return tx<{ plant_id: number; year: number }[]>`
		with received as (
			select distinct on (plant_id, year, generator_id) *
			from jsonb_to_recordset(${JSON.stringify(events)}::text::jsonb) as e (plant_id integer, generator_id text, year integer,
				version bigint, plant_name text, state text, technology text, capacity_mw float8, status text, source text,
				operator jsonb, owners jsonb)
			order by plant_id, year, generator_id, version desc),
		copied as (
			insert into generator_ownership as t (plant_id, generator_id, year, version, plant_name, state, technology, capacity_mw,
				status, source, operator, owners)
			select plant_id, generator_id, year, version, plant_name, state, technology, capacity_mw, status, source, operator, owners
			from received
			on conflict (plant_id, year, generator_id) do update set
				(version, plant_name, state, technology, capacity_mw, status, source, operator, owners)
				= (excluded.version, excluded.plant_name, excluded.state, excluded.technology, excluded.capacity_mw, excluded.status,
					excluded.source, excluded.operator, excluded.owners)
				where excluded.version > t.version
			returning plant_id, year)
		select distinct plant_id, year from copied`;
}

interface PlantYear {
	plantId: number;
	/** The later of the two years compared. */
	year: number;
}

async function compare(tx: Transaction, pairs: PlantYear[]): Promise<void> {
	if (pairs.length === 0) return;
	const generators = await read(tx, pairs);
	const wanted = pairs.flatMap(({ plantId, year }) => {
		const of = (one: number) => generators.get(`${plantId}:${one}`) ?? [];
		return diffOwnership(of(year - 1), of(year)).map(eventOf);
	});
	const standing = await tx<{ key: string }[]>`
		select key from ma_events
		where event_type = 'ownership_change' and not retracted and (plant_id, effective_on) in (
			select plant_id, make_date(year, 12, 31)
			from unnest(${pairs.map(({ plantId }) => plantId)}::int[], ${pairs.map(({ year }) => year)}::int[]) as p (plant_id, year))`;
	await settleMaEvents(
		tx,
		wanted,
		standing.map(({ key }) => key),
	);
}

type Row = Omit<Recorded, "id" | "occurred_at">;

/** By "<plant>:<year>", the years before included. */
async function read(tx: Transaction, pairs: PlantYear[]): Promise<Map<string, OwnedGenerator[]>> {
	const rows = await tx<Row[]>`
		select g.* from generator_ownership g
		where (plant_id, year) in (
			select plant_id, year - back
			from unnest(${pairs.map(({ plantId }) => plantId)}::int[], ${pairs.map(({ year }) => year)}::int[]) as p (plant_id, year),
				generate_series(0, 1) as back)
		order by plant_id, year, generator_id`;
	return Map.groupBy(rows.map(generatorOf), ({ plantId, year }) => `${plantId}:${year}`);
}

function generatorOf(row: Row): OwnedGenerator {
	return {
		plantId: row.plant_id,
		plantName: row.plant_name,
		state: row.state,
		generatorId: row.generator_id,
		year: row.year,
		technology: row.technology,
		capacityMw: row.capacity_mw,
		status: row.status,
		operatorId: row.operator.utility_id,
		source: row.source,
		owners: row.owners.map((owner) => ({
			id: owner.owner_id,
			name: owner.name,
			canonical: owner.developer_canonical,
			parent: owner.parent,
			address: owner.address,
			city: owner.city,
			fraction: owner.fraction,
		})),
	};
}

function eventOf(change: OwnershipChange): MaEvent {
	return {
		key: JSON.stringify(["eia", change.plantId, change.generatorId, change.year, change.seller, change.buyer]),
		event_type: "ownership_change",
		asset_class: "operating",
		// The day within the year is not known.
		effective_date: `${change.year}-12-31`,
		plant_id_eia: change.plantId,
		generator_id: change.generatorId,
		project_id: null,
		queue_id: null,
		region: null,
		asset_name: change.plantName,
		capacity_mw: change.capacityMw,
		technology: change.technology,
		state: change.state,
		seller: change.seller,
		seller_canonical: change.sellerCanonical,
		buyer: change.buyer,
		buyer_canonical: change.buyerCanonical,
		fraction_owned: change.fractionOwned,
		// What specification 2.10 calls the yearly comparison, also where an operator is taken as owner.
		source: "eia_860_ownership",
		confidence: change.confidence,
		reason: change.reason,
	};
}
