/** Reports of who owned a generator, as queue-ingest announces them. */
import type { Owned } from "./ma.ts";

export type Owner = Owned["owners"][number];

const ownerIds = new Map<string, number>();
export function owner(name: string, fraction = 1, canonical: string | null = name): Owner {
	const id = ownerIds.get(name) ?? ownerIds.size + 500;
	ownerIds.set(name, id);
	return {
		owner_id: id,
		name,
		fraction,
		developer_canonical: canonical,
		parent: canonical,
		address: null,
		city: null,
		state: null,
	};
}

let sent = 0;
export function owned(year: number, owners: Owner[], more: Partial<Owned> = {}): Owned {
	return {
		id: `ownership-${sent++}`,
		occurred_at: "2026-11-20T12:00:00Z",
		version: 1,
		plant_id: 60001,
		plant_name: "Sandy Ridge",
		state: "TX",
		generator_id: "GEN1",
		year,
		operator: { utility_id: 9, name: "Operations Inc", developer_canonical: null, parent: null },
		technology: "Solar Photovoltaic",
		capacity_mw: 100.5,
		status: "OP",
		source: "eia_860_ownership",
		owners,
		...more,
	};
}
