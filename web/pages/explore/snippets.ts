/** The same question in other languages: what a reader takes along. */
import { type FilterName, type Filters, filterLabels, setOf } from "../../lib/requests/filters.ts";

export interface Asked {
	/** Of the site, without a slash at the end. */
	origin: string;
	filters: Filters;
	as_of: string | undefined;
	/** West, south, east, north in degrees. */
	bbox: string | undefined;
}

/** `/export/projects` and `/projects` take the same. */
export function addressOf({ origin, filters, as_of, bbox }: Asked, path: string) {
	const all = { ...filters, ...(as_of !== undefined && { as_of }), ...(bbox !== undefined && { bbox }) };
	const query = new URLSearchParams(all).toString().replaceAll("%2C", ",");
	return `${origin}${path}${query && "?"}${query}`;
}

export const curl = (asked: Asked): string => `curl '${addressOf(asked, "/projects").replaceAll("'", "%27")}'`;

export const python = (asked: Asked): string =>
	`import pandas as pd\n\nrequests = pd.read_csv(\n    ${JSON.stringify(addressOf(asked, "/export/projects.csv"))}\n)\nprint(requests.groupby("status_std").capacity_mw.agg(["count", "sum"]))`;

/** Of POST /query over `master`. Coordinates are known of the present alone: of a day they are left out. */
export function sql({ filters, as_of, bbox }: Asked): string {
	const { q, region, state, fips, poi, fuel_type, status } = filters;
	const { capacity_min, capacity_max, date_from, date_to, min_score, include_unlisted } = filters;
	const [west, south, east, north] = bbox?.split(",") ?? [];
	const id = as_of === undefined ? "id" : "project_id";
	const texts = ["name", "queue_id", "poi", "developer", "developer_canonical"];
	const isPresent = as_of === undefined;
	const isActive = isPresent && status === "Active" && include_unlisted !== "true";
	const conditions = [
		...(isActive ? [] : ["kind = 'generation'"]),
		...(isActive || include_unlisted === "true" ? [] : ["listed = 'listed'"]),
		...isAmong("region", region),
		...isAmong("state", state),
		...isAmong("fips", fips),
		...isAmong("type_std", fuel_type),
		...(isActive ? [] : isAmong("status_std", status)),
		...(poi === undefined ? [] : [contains("poi", poi)]),
		...(q === undefined ? [] : [`(${texts.map((name) => contains(name, q)).join(" or ")})`]),
		...compared("developer_id =", filters.developer_id),
		...compared("capacity_mw >=", capacity_min),
		...compared("capacity_mw <=", capacity_max),
		...(date_from === undefined ? [] : [`queue_date >= ${quoted(date_from)}`]),
		...(date_to === undefined ? [] : [`queue_date <= ${quoted(date_to)}`]),
		...compared("investability_score >=", min_score),
		...(isPresent && bbox !== undefined
			? [`lat between ${south} and ${north}`, `lon between ${west} and ${east}`]
			: []),
	];
	const from = isActive ? "active_requests" : isPresent ? "projects" : `projects_as_of(${quoted(as_of)})`;
	const where = conditions.length === 0 ? "" : `where ${conditions.join("\n  and ")}\n`;
	const columns = `${id}, name, region, state, county, type_std, status_std, capacity_mw, queue_date`;
	const further = (Object.keys(setOf(filters)) as FilterName[]).filter((name) => !inSql.has(name));
	const left = [
		...further.map((name) => `"${filterLabels[name]}"`),
		...(isPresent || bbox === undefined ? [] : ["what the map shows"]),
	];
	const note = left.length === 0 ? "" : `-- Left out here, for the reader to write: ${left.join(", ")}.\n`;
	return `${note}select ${columns}\nfrom ${from}\n${where}order by capacity_mw desc nulls last`;
}

/** Filters that are written as a condition. */
const inSql: ReadonlySet<FilterName> = new Set([
	...(["q", "region", "state", "fips", "poi", "fuel_type", "status", "capacity_min", "capacity_max"] as const),
	...(["date_from", "date_to", "min_score", "include_unlisted", "developer_id", "bbox"] as const),
]);

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const isAmong = (column: string, values: string | undefined): string[] =>
	values === undefined ? [] : [`${column} in (${values.split(",").map(quoted).join(", ")})`];

const contains = (column: string, part: string): string => `contains(lower(${column}), lower(${quoted(part)}))`;

/** A number that is none is left to the interface to refuse. */
const compared = (condition: string, value: string | undefined): string[] =>
	value === undefined || !Number.isFinite(Number(value)) ? [] : [`${condition} ${Number(value)}`];
