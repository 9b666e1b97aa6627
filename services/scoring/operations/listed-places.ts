/** The rows of the lists in use that say something of the counties of a request, with their cells. */
import type { Reply } from "#libs/contract/index.ts";
import { listCodes, relatedCodes } from "#libs/counties/codes.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import type { BonusListing } from "../domain/tax-credits/index.ts";
import { type ListFile, newestCountyFile, newestLowIncomeFile, newestTractFile } from "../references.ts";

type Listing = Reply<"readOrigins">["energy_community"];

/** Of the tracts of a county. */
const mostRows = 20;

interface Filed {
	file_row: number;
	filed: (string | null)[];
}

/** @param counties five digits each */
export async function energyCommunity(sql: Sql, said: BonusListing, counties: readonly string[]): Promise<Listing> {
	const countyFile = await newestCountyFile(sql);
	const codes = counties.flatMap(listCodes);
	const listed = await sql<(Filed & { statistical: boolean })[]>`
		select statistical, file_row, filed from energy_community_counties
		where file_id = ${countyFile?.id ?? null} and fips = any(${codes}::text[]) order by fips`;
	const own = listingOf(said, "energy-communities", countyFile, listed);
	if (listed.some(({ statistical }) => statistical)) return own;
	const tractFile = await newestTractFile(sql);
	const tracts = await rowsOfTracts(sql, sql`coal_tracts where file_id = ${tractFile?.id ?? null}`, codes);
	if (tracts.length === 0 && own.file !== null) return own;
	return listingOf(said, "energy-communities", tractFile, tracts);
}

export async function lowIncome(sql: Sql, said: BonusListing, counties: readonly string[]): Promise<Listing> {
	const file = await newestLowIncomeFile(sql);
	const codes = counties.flatMap((fips) => [fips, ...listCodes(fips), ...relatedCodes(fips)]);
	const tracts = await rowsOfTracts(sql, sql`low_income_tracts where file_id = ${file?.id ?? null}`, codes);
	return listingOf(said, "low-income", file, tracts);
}

const rowsOfTracts = (sql: Sql, from: Fragment, counties: readonly string[]) => sql<Filed[]>`
	select file_row, filed from ${from} and left(tract, 5) = any(${[...counties]}::text[]) order by tract limit ${mostRows}`;

function listingOf(
	{ status, reason }: BonusListing,
	source: string,
	file: ListFile | undefined,
	rows: readonly Filed[],
): Listing {
	if (file === undefined) return { status, reason, file: null, cells: [] };
	const { sha256, name, published_on, valid_from, loaded_at, layout } = file;
	const cells = rows.flatMap(({ file_row: row, filed }) =>
		layout.columns.map((column, at) => ({ sheet: layout.sheet, row, ...column, raw: filed[at] ?? null })),
	);
	return { status, reason, file: { sha256, name, source, published_on, valid_from, loaded_at }, cells };
}
