/** A facility as the lists of data centers contain it, by column of its table. */
import { createHash } from "node:crypto";
import type { DatacenterStatus, PlacePrecision } from "#libs/contract/vocabulary.ts";
import { findState } from "#libs/counties/table.ts";
import { csvHeaderNames } from "#libs/files/csv.ts";
import { type Cell, text } from "#libs/files/values.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Dataset } from "../../../sources/dataset.ts";
import { replaceEdition } from "../../../sources/insert-rows.ts";
import type { RawFile } from "../../../sources/source.ts";

export const emptyFacility = {
	name: null as string | null,
	name_key: null as string | null,
	operator: null as string | null,
	status: null as DatacenterStatus | null,
	status_filed: null as string | null,
	facility_type: null as string | null,
	address: null as string | null,
	address_key: null as string | null,
	city: null as string | null,
	county: null as string | null,
	lat: null as number | null,
	lon: null as number | null,
	location_precision: null as PlacePrecision | null,
	capacity_mw: null as number | null,
	energy_low_mwh_year: null as number | null,
	energy_high_mwh_year: null as number | null,
	market: null as string | null,
	year_opened: null as number | null,
};

export type FacilityRow = typeof emptyFacility & { id: string; state: string };

/** Settings that the lists of facilities share. The lists are seldom published, so they are stale only after two years. */
export const facilityList = {
	database: "datacenter",
	maxAgeHours: 17_520,
	keptIn: { table: "datacenter_facilities" },
	async write(tx, file, provenance) {
		const stored = await replaceEdition("datacenter_facilities")(tx, file, provenance);
		await linkRepeats(tx);
		return stored;
	},
} as const satisfies Partial<Dataset<FacilityRow>>;

export const withHeaders =
	(...names: string[]) =>
	({ bytes }: RawFile): boolean => {
		const headers = csvHeaderNames(bytes);
		return names.every((name) => headers.has(name));
	};

export function stateOf(cell: Cell): string | null {
	return findState(text(cell) ?? "")?.state ?? null;
}

const genericWords = new Set(
	"data center centers centre centres datacenter datacenters campus facility the llc inc".split(" "),
);

/** Returns the same key for names that differ only in case, punctuation and words like "data center"; null if no other word is left. */
export function nameKey(name: string): string | null {
	const words = plainWords(name).filter((word) => !genericWords.has(word));
	return words.length === 0 ? null : words.join(" ");
}

const abbreviations = new Map(
	Object.entries({
		...{ street: "st", avenue: "ave", av: "ave", road: "rd", drive: "dr", boulevard: "blvd", lane: "ln", court: "ct" },
		...{ circle: "cir", parkway: "pkwy", highway: "hwy", place: "pl", suite: "ste", north: "n", south: "s", east: "e" },
		west: "w",
	}),
);

/** Returns null unless it is the address of a building: a postal code alone or a street without a number is not. */
export function addressKey(address: string | null): string | null {
	const words = plainWords(address ?? "").map((word) => abbreviations.get(word) ?? word);
	return words.length >= 2 && /\d/.test(words.join("")) ? words.join(" ") : null;
}

const plainWords = (text: string): string[] =>
	text
		.normalize("NFD")
		.toLowerCase()
		.replace(/\p{M}/gu, "")
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== "");

/**
 * Returns a function that creates ids that are the same in every edition: a prefix, which distinguishes sources, and a hash of the row's values
 * and of its position among equal rows.
 */
export function createIdGenerator(prefix: string): (...parts: (string | null)[]) => string {
	const seen = new Map<string, number>();
	return (...parts) => {
		const rowText = parts.map((part) => part?.toLowerCase() ?? "").join("\n");
		const place = (seen.get(rowText) ?? 0) + 1;
		seen.set(rowText, place);
		return `${prefix}${createHash("sha256").update(`${rowText}\n${place}`).digest("hex").slice(0, 10)}`;
	};
}

/**
 * Links rows that describe the same facility: they have the same name, and the same address or coordinates within 1 km (25 km if one is located
 * only by city). All refer to the row with the most exact location. A row located only by county matches no other row, because a brand can
 * have several facilities there.
 */
async function linkRepeats(tx: Transaction): Promise<void> {
	await tx`
		with ranked as (
			select *, row_number() over (order by
				array_position(array['site', 'street', 'area', 'city', 'county'], location_precision) nulls last, id) as rank
			from datacenter_facilities where name_key is not null),
		agreeing as (
			select r.id, b.id as better, b.rank from ranked r join ranked b
				on b.state = r.state and b.name_key = r.name_key and b.rank < r.rank
			where b.address_key = r.address_key or distance_km(b.lat, b.lon, r.lat, r.lon)
				<= case when 'city' in (r.location_precision, b.location_precision) then 25 else 1 end),
		best as (select distinct on (id) id, better from agreeing order by id, rank)
		update datacenter_facilities f set same_as = n.better
		from datacenter_facilities g left join best n using (id)
		where g.id = f.id and f.same_as is distinct from n.better`;
	// References can form chains: points each to the row at the end of its chain.
	for (let round = 0; round < 5; round++) {
		const { count } = await tx`
			update datacenter_facilities f set same_as = b.same_as from datacenter_facilities b
			where b.id = f.same_as and b.same_as is not null`;
		if (count === 0) return;
	}
}
