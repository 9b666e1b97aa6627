/** Refuses filters by a value that no list has ever filed: an empty response would suggest that there are no such requests. */
import { didYouMean } from "#libs/contract/did-you-mean.ts";
import { invalid } from "#libs/contract/errors.ts";
import { countyName, type Filters } from "#libs/contract/filters/meanings.ts";
import type { RequestContext } from "#libs/contract/index.ts";
import { iaStatuses, statuses, studyPhases } from "#libs/contract/vocabulary.ts";
import { findPlace } from "#libs/counties/find-county.ts";
import { allCounties, countyNames } from "#libs/counties/table.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";

/** For each filter: its standard values, what messages call them, and the column with the filed values. */
const filters = {
	status: { standard: statuses, noun: "a standard status", column: "status" },
	study_phase: { standard: studyPhases, noun: "a standard study phase", column: "study_phase_filed" },
	ia_status: { standard: iaStatuses, noun: "a standard agreement status", column: "ia_status_filed" },
	county: { standard: countyNames, noun: "a county", column: "unnest(counties)" },
} as const;
type Name = keyof typeof filters;
type Checked = Pick<Filters, Name | "near">;

const places = allCounties.map(({ name, state }) => `${name}, ${state}`);

const lower = (values: readonly string[]): Set<string> => new Set(values.map((value) => value.toLowerCase()));
const standardValues = Object.fromEntries(
	Object.entries(filters).map(([name, { standard }]) => [name, lower(standard)]),
) as Record<Name, Set<string>>;

interface CachedValues {
	dataVersion: number;
	values: string[];
	known: Set<string>;
}

export class FiledValues {
	readonly #sql: Sql;
	/** Cached values by filter. A filed value never leaves the history, so the cache is refreshed only when a value is not in it. */
	readonly #reads = new Map<Name, Promise<CachedValues>>();

	constructor(sql: Sql) {
		this.#sql = sql;
	}

	/** Wraps a handler so that its filters are checked first. */
	checked<P extends Checked, R>(handler: (params: P, context: RequestContext) => Promise<R>): typeof handler {
		return async (params, context) => {
			await this.#check(params);
			return handler(params, context);
		};
	}

	/** Wraps a handler that streams a file, like `checked`. */
	checkedFile<P extends Checked, R>(handler: (params: P, context: RequestContext) => AsyncIterable<R>): typeof handler {
		const check = (params: P) => this.#check(params);
		return async function* (params, context) {
			await check(params);
			yield* handler(params, context);
		};
	}

	/** @throws AppError 422 */
	async #check({ status = [], study_phase, ia_status, county, near }: Checked): Promise<void> {
		const given = { status, study_phase: study_phase ?? [], ia_status: ia_status ?? [], county: county ?? [] };
		const errors = [];
		if (near !== undefined && findPlace(near) === undefined)
			errors.push({
				loc: ["query", "near"],
				msg: `"${near}" is not a county and its state${didYouMean(near, places)}`,
			});
		for (const name of Object.keys(filters) as Name[])
			for (const value of [given[name]].flat()) {
				const known = name === "county" ? countyName(value) : value.toLowerCase();
				if (standardValues[name].has(known)) continue;
				const cached = await this.#readFor(name, known);
				if (cached.known.has(known)) continue;
				const { noun, standard } = filters[name];
				const near = didYouMean(name === "county" ? known.replace(/,? [a-z]{2}$/, "") : known, [
					...new Set([...cached.values, ...standard]),
				]);
				const hint = near === "" && name !== "county" ? `: ${standard.join(", ")}` : near;
				errors.push({ loc: ["query", name], msg: `"${value}" is neither ${noun} nor filed in any list${hint}` });
			}
		if (errors.length > 0) throw invalid(errors);
	}

	/** Returns the cached values. Reads them again if they lack this value and the data has changed. */
	async #readFor(name: Name, value: string): Promise<CachedValues> {
		const earlier = await this.#reads.get(name);
		if (earlier?.known.has(value)) return earlier;
		const dataVersion = await readDataVersion(this.#sql);
		if (earlier !== undefined && earlier.dataVersion >= dataVersion) return earlier;
		const read = this.#read(name, dataVersion);
		this.#reads.set(name, read);
		read.catch(() => this.#reads.delete(name));
		return read;
	}

	async #read(name: Name, dataVersion: number): Promise<CachedValues> {
		const column = this.#sql.unsafe(filters[name].column);
		const rows = await this.#sql<{ value: string }[]>`
			select distinct value from (select ${column} as value from projects union select ${column} from project_versions) filed
			where value is not null order by value`;
		const values = rows.map(({ value }) => value);
		return { dataVersion, values, known: lower(values) };
	}
}
