/** The page's query, written as calls from programs. */
import { activeFilters, type FilterName, type Filters, filterLabels } from "../../lib/requests/filters.ts";

export interface SameRequest {
	/** URL of the service, without a trailing slash. */
	origin: string;
	filters: Filters;
	as_of: string | undefined;
	/** West, south, east, north in degrees. */
	bbox: string | undefined;
}

/** `/export/projects` and `/projects` take the same parameters. */
export function exportAddress({ origin, filters, as_of, bbox }: SameRequest, path: string) {
	const all = { ...filters, ...(as_of !== undefined && { as_of }), ...(bbox !== undefined && { bbox }) };
	const query = new URLSearchParams(all).toString().replaceAll("%2C", ",");
	return `${origin}${path}${query && "?"}${query}`;
}

export const curl = (request: SameRequest): string =>
	`curl '${exportAddress(request, "/projects").replaceAll("'", "%27")}'`;

export const python = (request: SameRequest): string =>
	`import pandas as pd\n\nrequests = pd.read_csv(\n    ${JSON.stringify(exportAddress(request, "/export/projects.csv"))}\n)\nprint(requests.groupby("status_std").capacity_mw.agg(["count", "sum"]))`;

/**
 * An SQL statement for POST /query with the database `master`. For a past day it has no condition on coordinates, because they are not known for past
 * days.
 */
export function sql({ filters, as_of, bbox }: SameRequest): string {
	const { q, region, state, fips, poi, fuel_type, status } = filters;
	const { capacity_min, capacity_max, date_from, date_to, min_score, include_unlisted } = filters;
	const [west, south, east, north] = bbox?.split(",") ?? [];
	const searched = ["name", "queue_id", "poi", "developer", "developer_canonical"];
	const isPresent = as_of === undefined;
	const isActive = isPresent && filters.active === "true";
	const conditions = [
		...(isActive ? [] : ["kind = 'generation'"]),
		...(isActive || include_unlisted === "true" ? [] : ["listed = 'listed'"]),
		...isAmong("region", region),
		...isAmong("state", state),
		...isAmong("fips", fips),
		...isAmong("type_std", fuel_type),
		...isAmong("status_std", status),
		...(poi === undefined ? [] : [contains("poi", poi)]),
		...(q === undefined ? [] : [`(${searched.map((name) => contains(name, q)).join(" or ")})`]),
		...comparison("developer_id =", filters.developer_id),
		...comparison("capacity_mw >=", capacity_min),
		...comparison("capacity_mw <=", capacity_max),
		...(date_from === undefined ? [] : [`queue_date >= ${quoted(date_from)}`]),
		...(date_to === undefined ? [] : [`queue_date <= ${quoted(date_to)}`]),
		...comparison("investability_score >=", min_score),
		...(isPresent && bbox !== undefined
			? [`lat between ${south} and ${north}`, `lon between ${west} and ${east}`]
			: []),
	];
	const from = isActive ? "active_requests" : isPresent ? "projects" : `projects_as_of(${quoted(as_of)})`;
	const where = conditions.length === 0 ? "" : `where ${conditions.join("\n  and ")}\n`;
	const columns = `${isPresent ? "id" : "project_id"}, name, region, state, county, type_std, status_std, capacity_mw, queue_date`;
	const further = (Object.keys(activeFilters(filters)) as FilterName[]).filter((name) => !inSql.has(name));
	const omitted = [
		...further.map((name) => `"${filterLabels[name]}"`),
		...(isPresent || bbox === undefined ? [] : ["what the map shows"]),
	];
	const note = omitted.length === 0 ? "" : `-- Left out here, for the reader to write: ${omitted.join(", ")}.\n`;
	return `${note}select ${columns}\nfrom ${from}\n${where}order by capacity_mw desc nulls last`;
}

/** Filters that the statement contains. */
const inSql: ReadonlySet<FilterName> = new Set([
	...(["q", "region", "state", "fips", "poi", "fuel_type", "status", "capacity_min", "capacity_max"] as const),
	...(["date_from", "date_to", "min_score", "include_unlisted", "developer_id", "bbox", "active"] as const),
]);

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const isAmong = (column: string, values: string | undefined): string[] =>
	values === undefined ? [] : [`${column} in (${values.split(",").map(quoted).join(", ")})`];

const contains = (column: string, part: string): string => `contains(lower(${column}), lower(${quoted(part)}))`;

/** A condition on a number. A value that is not a number is omitted, because the API refuses it. */
const comparison = (condition: string, value: string | undefined): string[] =>
	value === undefined || !Number.isFinite(Number(value)) ? [] : [`${condition} ${Number(value)}`];
