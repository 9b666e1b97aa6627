/** Caches the places of requests by filters and data version, because a map requests many tiles with the same filters. */
import { type Filters, projectCondition } from "#libs/contract/filters/project-condition.ts";
import type { Handler } from "#libs/contract/index.ts";
import { type AsOf, checkDay } from "#libs/contract/operations/as-of.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { requestsAt } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { groupByPlace, type MapPlace, type PlacedRow } from "./places.ts";
import { makeTile } from "./tile.ts";

interface Placed {
	dataVersion: number;
	places: MapPlace[];
}

interface CacheEntry {
	dataVersion: number;
	placed: Promise<Placed>;
	requests: number;
}

/** Maximum requests in the cache; one takes about 200 bytes. */
const maxRequests = 150_000;
/** Each cache entry counts for at least this many requests, because each view of a map has its own filters, and many select no request. */
const minRequestsPerEntry = 100;

class PlaceCache {
	readonly #resources: Resources;
	/** Ordered by last use, the least recent first. */
	readonly #entries = new Map<string, CacheEntry>();

	constructor(resources: Resources) {
		this.#resources = resources;
	}

	async get(filters: Filters, asOf: AsOf): Promise<Placed> {
		const dataVersion = await readDataVersion(this.#resources.sql);
		const key = JSON.stringify({ ...filters, ...asOf });
		const known = this.#entries.get(key);
		const entry =
			known !== undefined && known.dataVersion >= dataVersion
				? known
				: this.#startReading(key, dataVersion, filters, asOf);
		this.#entries.delete(key);
		this.#entries.set(key, entry);
		return entry.placed;
	}

	#startReading(key: string, dataVersion: number, filters: Filters, asOf: AsOf): CacheEntry {
		const entry: CacheEntry = { dataVersion, placed: readPlaces(this.#resources.sql, filters, asOf), requests: 0 };
		entry.placed.then(
			({ places, dataVersion: readVersion }) => {
				entry.dataVersion = readVersion;
				entry.requests = Math.max(
					minRequestsPerEntry,
					places.reduce((sum, { requests }) => sum + requests.length, 0),
				);
				this.#evict();
			},
			() => {
				if (this.#entries.get(key) === entry) this.#entries.delete(key);
			},
		);
		return entry;
	}

	#evict(): void {
		let requests = [...this.#entries.values()].reduce((sum, entry) => sum + entry.requests, 0);
		for (const [key, entry] of this.#entries) {
			if (requests <= maxRequests || this.#entries.size === 1) return;
			this.#entries.delete(key);
			requests -= entry.requests;
		}
	}
}

async function readPlaces(sql: Sql, filters: Filters, asOf: AsOf): Promise<Placed> {
	const rows = await sql`
		with chosen as (
			select p.lat, p.lon, p.location_precision, p.fips, p.state, p.county, p.id, p.type_std, p.status_std,
				${asOf.as_of === undefined ? sql`p.investability_score` : sql`null::integer`} as score,
				p.capacity_mw
			from ${requestsAt(sql, asOf)} ${projectCondition(sql, filters)} and p.lat is not null and p.lon is not null)
		select v.version, c.* from (select version from data_version) v left join chosen c on true
		order by c.lat, c.lon, c.location_precision, c.fips, c.capacity_mw desc nulls last, c.id`.values();
	const [first] = rows;
	if (first === undefined) throw new Error("the query for places returned no row with the data version");
	return { dataVersion: Number(first[0]), places: groupByPlace(placedRows(rows)) };
}

/** Skips the row that contains only the data version, which the query returns if no request is selected. */
function* placedRows(rows: unknown[][]): Iterable<PlacedRow> {
	for (const [, lat, ...rest] of rows) if (lat !== null) yield [lat, ...rest] as PlacedRow;
}

export function getProjectTile(resources: Resources): Handler<"getProjectTile"> {
	const cache = new PlaceCache(resources);
	return async ({ z, x, y, as_of, ...filters }) => {
		const asOf = { as_of };
		checkDay(resources, asOf);
		const { places, dataVersion } = await cache.get(filters, asOf);
		return { json: makeTile(places, { z, x, y }), dataVersion };
	};
}
