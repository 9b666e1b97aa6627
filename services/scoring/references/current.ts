/** Reads the reference lists in use: the newest loaded list of each kind. */
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import type { EnergyCommunityList, LowIncomeList, References } from "../domain/places.ts";
import type { Layout } from "./sources/reference.ts";

/** The lists as last read. Each database has its own edition, so lists cached from one database are never returned for another. */
let cachedLists: { edition: string; references: References } | undefined;

/** Returns the lists, cached until another list is loaded. A concurrent load is seen completely or not at all. */
export async function loadReferences(sql: Sql | Transaction): Promise<References> {
	for (;;) {
		const edition = await readEdition(sql);
		if (cachedLists?.edition === edition) return cachedLists.references;
		const energyCommunities = await readEnergyCommunities(sql);
		const lowIncome = await readLowIncome(sql);
		const references = { energyCommunities, lowIncome };
		if ((await readEdition(sql)) !== edition) continue;
		cachedLists = { edition, references };
		return references;
	}
}

async function readEdition(sql: Sql | Transaction): Promise<string> {
	const [row] = await (sql as Sql)<{ edition: string }[]>`select edition from reference_versions`;
	if (row === undefined) throw new Error("the table reference_versions has no row: run the migrations of scoring");
	return row.edition;
}

export interface ListFile {
	id: number;
	sha256: string;
	name: string;
	published_on: string | null;
	loaded_at: string;
	layout: Layout;
	kind: string;
	notice: string;
	valid_from: string;
	rows: number;
	complete: boolean;
	sample: boolean;
}

const columns =
	"id, sha256, name, published_on, iso(f.loaded_at) as loaded_at, layout, kind, notice, valid_from, rows, complete, sample";
/** If two lists are for the same period, the one published later comes first, because it adds to the earlier one. */
const newestFirst = "f.valid_from desc, f.published_on desc nulls last, f.loaded_at desc, f.id desc";

async function readNewestFile(
	sql: Sql | Transaction,
	condition: string,
	preferred: string,
): Promise<ListFile | undefined> {
	const [file] = await sql.unsafe<ListFile[]>(
		`select ${columns} from reference_files f where ${condition} order by ${preferred} desc, ${newestFirst} limit 1`,
	);
	return file;
}

export const readNewestCountyFile = (sql: Sql | Transaction) =>
	readNewestFile(sql, "exists (select from energy_community_counties where file_id = f.id)", "complete");
/** Includes hand-made lists (`places`), which decide about the tracts of their counties, even if they list none. */
export const readNewestTractFile = (sql: Sql | Transaction) =>
	readNewestFile(sql, "kind in ('coal-tracts', 'places')", "kind = 'coal-tracts'");
export const readNewestLowIncomeFile = (sql: Sql | Transaction) =>
	readNewestFile(sql, "kind = 'low-income'", "complete");

async function readEnergyCommunities(sql: Sql | Transaction): Promise<EnergyCommunityList | null> {
	const countyFile = await readNewestCountyFile(sql);
	const tractFile = await readNewestTractFile(sql);
	const file = countyFile ?? tractFile;
	if (file === undefined) return null;
	type County = { fips: string; statistical: boolean; area: string | null; note: string | null };
	const counties = await (sql as Sql)<County[]>`
		select fips, statistical, area, note from energy_community_counties where file_id = ${countyFile?.id ?? null}`;
	const tracts = await (sql as Sql)<{ tract: string }[]>`
		select tract from coal_tracts where file_id = ${tractFile?.id ?? null}`;
	const namedCounties = await (sql as Sql)<{ fips: string }[]>`
		select fips from energy_community_counties where file_id = ${tractFile?.id ?? null}`;
	const coalCounties = new Map(namedCounties.map(({ fips }) => [fips, 0]));
	for (const { tract } of tracts) coalCounties.set(tract.slice(0, 5), (coalCounties.get(tract.slice(0, 5)) ?? 0) + 1);
	return {
		notice: titleOf(file),
		validFrom: file.valid_from,
		// A list with yes or no for each county says nothing about the counties that are not in it.
		complete: countyFile?.complete === true && counties.every(({ statistical }) => statistical),
		counties: new Map(counties.map(({ fips, ...county }) => [fips, county])),
		coalNotice: tractFile === undefined ? null : titleOf(tractFile),
		coalComplete: tractFile?.kind === "coal-tracts",
		coalTracts: new Set(tracts.map(({ tract }) => tract)),
		coalCounties,
	};
}

function titleOf({ notice, complete, sample, rows }: ListFile): string {
	return complete ? notice : `${notice} (${sample ? "sample" : "partial list"} of ${rows} counties)`;
}

async function readLowIncome(sql: Sql | Transaction): Promise<LowIncomeList | null> {
	const file = await readNewestLowIncomeFile(sql);
	if (file === undefined) return null;
	const tracts = await (sql as Sql)<{ tract: string; share: number }[]>`
		select tract, share from low_income_tracts where file_id = ${file.id}`;
	const counties = await (sql as Sql)<{ fips: string; low_income: number; tracts: number | null }[]>`
		select fips, low_income, tracts from low_income_counties where file_id = ${file.id}`;
	return {
		source: file.notice,
		complete: counties.every((county) => county.tracts === null),
		tracts: new Map(tracts.map(({ tract, share }) => [tract, share])),
		counties: new Map(counties.map(({ fips, low_income, tracts: all }) => [fips, { lowIncome: low_income, all }])),
	};
}
