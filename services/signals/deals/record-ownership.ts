/** Records the owners of each generator by year, and the changes from one year to the next. */
import type { z } from "zod";
import type { Reaction } from "#libs/bus/events/react.ts";
import { ownershipRecorded } from "#libs/contract/events/queue-ingest.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { excluded } from "#libs/postgres/events/copies.ts";
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
		const copied = await copyOwners(tx, events);
		// A new year is compared with the year before and the year after.
		const pairs = new Map(
			copied.flatMap(({ plant_id, year }) =>
				[year, year + 1].map((later) => [`${plant_id}:${later}`, { plantId: plant_id, year: later }] as const),
			),
		);
		await compareYears(tx, [...pairs.values()]);
	},
};

const facts = "version, plant_name, state, technology, capacity_mw, status, source, operator, owners";
const columns = `plant_id, generator_id, year, ${facts}`;

/** Returns the plants and years whose copy has changed. */
async function copyOwners(tx: Transaction, events: Recorded[]): Promise<{ plant_id: number; year: number }[]> {
	return tx.unsafe<{ plant_id: number; year: number }[]>(
		`with received as (
			select distinct on (plant_id, year, generator_id) *
			from jsonb_populate_recordset(null::generator_ownership, $1::text::jsonb)
			order by plant_id, year, generator_id, version desc),
		copied as (
			insert into generator_ownership as t (${columns}) select ${columns} from received
			on conflict (plant_id, year, generator_id) do update set (${facts}) = (${excluded(facts)})
				where excluded.version > t.version
			returning plant_id, year)
		select distinct plant_id, year from copied`,
		[JSON.stringify(events)],
	);
}

interface PlantYear {
	plantId: number;
	/** The later of the two years compared. */
	year: number;
}

async function compareYears(tx: Transaction, pairs: PlantYear[]): Promise<void> {
	if (pairs.length === 0) return;
	const generators = await readOwners(tx, pairs);
	const wanted = pairs.flatMap(({ plantId, year }) => {
		const generatorsIn = (one: number) => generators.get(`${plantId}:${one}`) ?? [];
		return diffOwnership(generatorsIn(year - 1), generatorsIn(year)).map(eventOf);
	});
	const current = await tx<{ key: string }[]>`
		select key from ma_events
		where event_type = 'ownership_change' and not retracted and (plant_id, effective_on) in (
			select plant_id, make_date(year, 12, 31)
			from unnest(${pairs.map(({ plantId }) => plantId)}::int[], ${pairs.map(({ year }) => year)}::int[]) as p (plant_id, year))`;
	await settleMaEvents(
		tx,
		wanted,
		current.map(({ key }) => key),
	);
}

/** Generators by "<plant>:<year>", for both years of each pair. */
async function readOwners(tx: Transaction, pairs: PlantYear[]): Promise<Map<string, OwnedGenerator[]>> {
	const rows = await tx<OwnedGenerator[]>`
		select plant_id, plant_name, state, generator_id, year, technology, capacity_mw, status, source,
			(operator ->> 'utility_id')::int as "operatorId",
			array(select jsonb_build_object('id', o -> 'owner_id', 'canonical', o -> 'developer_canonical') || o
				from jsonb_array_elements(owners) with ordinality as e (o, place) order by place) as owners
		from generator_ownership
		where (plant_id, year) in (
			select plant_id, year - back
			from unnest(${pairs.map(({ plantId }) => plantId)}::int[], ${pairs.map(({ year }) => year)}::int[]) as p (plant_id, year),
				generate_series(0, 1) as back)
		order by plant_id, year, generator_id`;
	return Map.groupBy(rows, ({ plant_id, year }) => `${plant_id}:${year}`);
}

function eventOf({ year, plant_name, ...change }: OwnershipChange): MaEvent {
	return {
		...change,
		key: JSON.stringify(["eia", change.plant_id, change.generator_id, year, change.seller, change.buyer]),
		event_type: "ownership_change",
		asset_class: "operating",
		// The day within the year is unknown.
		effective_on: `${year}-12-31`,
		project_id: null,
		queue_id: null,
		region: null,
		asset_name: plant_name,
		// The API's name for the yearly comparison, even if an operator counts as the owner.
		source: "eia_860_ownership",
	};
}
