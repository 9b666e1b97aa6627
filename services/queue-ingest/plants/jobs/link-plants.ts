/** Links requests to the plants that they became, a state at a time. */

import { spelled } from "#libs/names/tidy-name.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { insertRows } from "../../sources/insert-rows.ts";
import { companyKey, countyKey, type LinkPlant, type LinkProject } from "../link-pair.ts";
import { linkPlant, withoutRivals } from "../link-plant.ts";
import { familiesOf } from "../plant-families.ts";
import { isLong, namesOf, type PlantName } from "../plant-names.ts";
import { readPlants } from "./read-plants.ts";

/** Links the requests that a list has written. Costs one query if no plants are loaded. Requires the schema-wide write lock. */
export async function linkPlants(tx: Transaction, projectIds: readonly string[]): Promise<void> {
	const [any] = await tx<
		{ exists: boolean }[]
	>`select exists (select from plants) or exists (select from grid_units) as exists`;
	if (any?.exists !== true || projectIds.length === 0) return;
	const states = await tx<{ state: string }[]>`
		select distinct state from projects where id = any(${[...projectIds]}::text[]) and state is not null`;
	await relink(tx, states);
}

/** Links the requests in all states that have plants in a year. Returns the number of linked requests. Requires the schema-wide write lock. */
export async function linkStates(tx: Transaction, year: number): Promise<number> {
	const states = await tx<{ state: string }[]>`
		select distinct state from (
			select state from plants where year = ${year} union select state from generators where year = ${year}) s
		where state is not null`;
	return relink(tx, states);
}

export async function linkAllStates(tx: Transaction): Promise<number> {
	const states = await tx<{ state: string }[]>`select distinct state from projects where state is not null`;
	return relink(tx, states);
}

/** Recomputes all links of requests in these states, because each link depends on the other requests. */
async function relink(tx: Transaction, found: readonly { state: string }[]): Promise<number> {
	const states = found.map(({ state }) => state);
	const listed = await readPlants(tx, states);
	const plants = indexByState(listed);
	const projects = await readProjects(tx, states);
	const all = projects.flatMap(
		(project) => linkPlant(project, plants.get(project.state)?.candidates(project) ?? []) ?? [],
	);
	const links = withoutRivals(all, projects, new Map(listed.map((plant) => [plant.plantId, plant])));
	await tx`
		delete from project_plants l using projects p where p.id = l.project_id and p.state = any(${states}::text[])`;
	const rows = links.map(({ projectId, plantId, kind, method, confidence, evidence }) => ({
		...{ project_id: projectId, plant_id: plantId, link_kind: kind, method, confidence, evidence },
	}));
	return insertRows(tx, "project_plants", rows);
}

type ProjectRow = Omit<
	LinkProject,
	"names" | "shellNames" | "families" | "companies" | "place" | "poi" | "poiWords"
> & {
	name: string | null;
	/** The filed company, if it was founded for the project: plants are often reported under its name. */
	shell: string | null;
	poi: string | null;
	type: string;
	developers: (string | null)[];
	lat: number | null;
	lon: number | null;
};

export async function readProjects(tx: Transaction, states: string[]): Promise<LinkProject[]> {
	const rows = await tx<ProjectRow[]>`
		select id, region, state, counties, type_std as type, capacity_mw as "capacityMw",
			case when spelling(name) is distinct from spelling(poi) then name end as name,
			(select l.raw_name from developer_links l where l.raw_name = developer and l.outcome = 'shell') as shell, poi,
			is_built or stage = 'construction' as "isBuilt", stage in ('late', 'construction') as "isLate",
			extract(year from queue_date)::integer as "queueYear",
			extract(year from case when is_built then coalesce(actual_cod, cod) end)::integer as "operationYear",
			extract(year from cod)::integer as "plannedYear",
			-- A developer that was found through a plant is not evidence for that plant.
			json_build_array(developer, case when exists (select from named_developers n where n.raw_name = developer)
				then developer_canonical end) as developers, utility,
			case when location_precision = 'poi' then lat end as lat, case when location_precision = 'poi' then lon end as lon
		from projects
		-- A status or a stage that follows from a link is not evidence for one.
		cross join lateral (
			select status_std = 'Operational' and status_basis is distinct from 'other_source' as is_built,
				case when status_basis = 'other_source' then as_filed ->> 'construction_stage' else construction_stage end as stage) s
		where state = any(${states}::text[]) and kind = 'generation' and status_std <> 'Withdrawn' and type_std <> 'Unknown'
		order by id`;
	return rows.map(({ name, shell, type, developers, poi, lat, lon, ...project }) => ({
		...project,
		names: namesOf(name),
		shellNames: namesOf(shell),
		poi: spelled(poi),
		poiWords: namesOf(poi).flatMap(({ words }) => words.filter((word) => word.length > 3 && !stationWords.has(word))),
		families: familiesOf(type),
		companies: developers.map(companyKey).filter((key) => key !== ""),
		place: lat === null || lon === null ? null : { lat, lon },
	}));
}

/** Words in the names of points of interconnection that do not name a place. */
export const stationWords = new Set(
	"line lines substation station switch switching switchyard tline south north east west city road creek".split(" "),
);

/** The plants of a state by county and by the words of their names: plants that cannot match a request are never compared. */
class PlantIndex {
	readonly #byKey = new Map<string, LinkPlant[]>();

	constructor(plants: readonly LinkPlant[]) {
		for (const plant of plants) {
			const counties = [...(plant.county === null ? plant.around : [plant.county]), ...plant.beside];
			for (const key of keysOf(plant.names, counties)) {
				const found = this.#byKey.get(key) ?? [];
				this.#byKey.set(key, found);
				found.push(plant);
			}
		}
	}

	candidates(project: LinkProject): LinkPlant[] {
		const keys = [...keysOf([...project.names, ...project.shellNames], project.counties)];
		return [...new Set(keys.flatMap((key) => this.#byKey.get(key) ?? []))];
	}
}

/** Index keys: words, counties, all words joined ("Pinegate" is "Pine Gate"), and the beginning of each word that is long enough to be recognised if mistyped. */
const keysOf = (names: readonly PlantName[], counties: readonly string[]): Set<string> =>
	new Set([
		...names.flatMap(({ words }) => [...words, words.join("")]),
		...names.flatMap(({ words }) => words.filter(isLong).map((word) => `${word.slice(0, 4)}...`)),
		...counties.map((county) => `county ${countyKey(county)}`),
	]);

export function indexByState(plants: LinkPlant[]): Map<string, PlantIndex> {
	const states = Map.groupBy(plants, ({ state }) => state);
	return new Map([...states].map(([state, own]) => [state, new PlantIndex(own)]));
}
