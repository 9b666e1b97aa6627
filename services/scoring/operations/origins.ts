/** Reads the origins of a request's credit and score: fields of the request, and cells of the reference lists for its counties. */
import { notFound } from "#libs/contract/errors.ts";
import type { Handlers, Reply } from "#libs/contract/index.ts";
import { relatedCodes, taxCodes } from "#libs/counties/codes.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { type Basis, explainCredit, findListings, findOtherCounties, type Request } from "../domain/assess.ts";
import { findFieldsRead, type ProjectFacts } from "../domain/facts.ts";
import { inputsOf, isOpen } from "../domain/score/inputs.ts";
import type { BonusListing } from "../domain/tax-credits/types.ts";
import {
	type ListFile,
	loadReferences,
	readNewestCountyFile,
	readNewestLowIncomeFile,
	readNewestTractFile,
} from "../references/current.ts";
import type { Resources } from "../resources.ts";
import { readRequests } from "../tables/requests.ts";

type Origins = Reply<"readOrigins">;
type Listing = Origins["energy_community"];

/** Inputs of the score that are results themselves: the developer and the tax credit. */
const computedInputs = ["developer_id", "tax_credit_type", "tax_credit_status", "tax_credit_pct"];
/** Maximum census tracts shown for the counties of a request. */
const maxTracts = 20;

export const originOperations = ({ sql, now, notice_2025_42 }: Resources) =>
	({
		/** @throws AppError 404 if the request is unknown */
		async readOrigins({ project_id }) {
			const dataVersion = await readDataVersion(sql);
			const [request] = await readRequests(sql, [project_id]);
			if (request === undefined) throw notFound(`nothing has been computed for ${project_id}`);
			const references = await loadReferences(sql);
			const basis = { today: now().toISOString().slice(0, 10), references, notice_2025_42 };
			const { facts } = request;
			const counties = countiesOf(facts);
			const listings = findListings(references, facts);
			const open = isOpen(facts);
			const reply: Origins = {
				energy_community: await readEnergyCommunity(sql, listings.energyCommunity, counties),
				low_income: await readLowIncome(sql, listings.lowIncome, counties),
				listing_facts: findFieldsRead(facts, countiesOf),
				credit: open ? creditOf(facts, basis) : null,
				score: open ? await readScore(sql, request, basis.today) : null,
			};
			return { json: JSON.stringify(reply), dataVersion };
		},
	}) satisfies Partial<Handlers<"scoring">>;

const countiesOf = (facts: ProjectFacts): string[] =>
	[facts.fips, ...findOtherCounties(facts)].filter((fips) => fips !== null);

function creditOf(facts: ProjectFacts, basis: Basis): Origins["credit"] {
	const { credit, warnings } = explainCredit(facts, basis);
	const { status, reason } = credit.bonuses.domesticContent;
	return {
		status: credit.status,
		reasons: [...warnings.map(({ message }) => message), ...credit.assumptions],
		domestic_content: { status, reason },
		facts: findFieldsRead(facts, (each) => explainCredit(each, basis)),
		citations: credit.citations,
	};
}

async function readScore(sql: Sql, { facts, developer, duplicate, cost_usd_per_kw }: Request, today: string) {
	const [stored] = await sql<NonNullable<Origins["score"]>[]>`
		select s.score_version, s.inputs_hash, iso(s.scored_at) as scored_at, case when i.project_id is not null then json_build_object(
			'file', (select name from reference_files f where f.source = 'ic-costs' and f.sha256 = i.sha256), 'sha256', i.sha256,
			'source', i.source, 'usd_per_kw', i.cost_usd_per_kw) end as cost
		from settings t join scores s on s.score_version = t.active_version
		left join interconnection_costs i using (project_id)
		where s.project_id = ${facts.project_id}`;
	if (stored === undefined) return null;
	const about = { credit: null, developer, duplicate, costPerKw: cost_usd_per_kw };
	return { ...stored, facts: [...findFieldsRead(facts, (each) => inputsOf(each, about, today)), ...computedInputs] };
}

interface FiledRow {
	file_row: number;
	filed: (string | null)[];
}

/** @param counties five digits each */
async function readEnergyCommunity(sql: Sql, listing: BonusListing, counties: readonly string[]): Promise<Listing> {
	const countyFile = await readNewestCountyFile(sql);
	const codes = counties.flatMap(taxCodes);
	const countyRows = await sql<(FiledRow & { statistical: boolean })[]>`
		select statistical, file_row, filed from energy_community_counties
		where file_id = ${countyFile?.id ?? null} and fips = any(${codes}::text[]) order by fips`;
	const countyListing = listingOf(listing, "energy-communities", countyFile, countyRows);
	if (countyRows.some(({ statistical }) => statistical)) return countyListing;
	const tractFile = await readNewestTractFile(sql);
	const tracts = await readTracts(sql, sql`coal_tracts where file_id = ${tractFile?.id ?? null}`, codes);
	if (tracts.length === 0 && countyListing.file !== null) return countyListing;
	return listingOf(listing, "energy-communities", tractFile, tracts);
}

async function readLowIncome(sql: Sql, listing: BonusListing, counties: readonly string[]): Promise<Listing> {
	const file = await readNewestLowIncomeFile(sql);
	const codes = counties.flatMap((fips) => [fips, ...taxCodes(fips), ...relatedCodes(fips)]);
	const tracts = await readTracts(sql, sql`low_income_tracts where file_id = ${file?.id ?? null}`, codes);
	return listingOf(listing, "low-income", file, tracts);
}

const readTracts = (sql: Sql, from: Fragment, counties: readonly string[]) => sql<FiledRow[]>`
	select file_row, filed from ${from} and left(tract, 5) = any(${[...counties]}::text[]) order by tract limit ${maxTracts}`;

function listingOf(
	{ status, reason }: BonusListing,
	source: string,
	file: ListFile | undefined,
	rows: readonly FiledRow[],
): Listing {
	if (file === undefined) return { status, reason, file: null, cells: [] };
	const { sha256, name, published_on, valid_from, loaded_at, layout } = file;
	const cells = rows.flatMap(({ file_row: row, filed }) =>
		layout.columns.map((column, at) => ({ sheet: layout.sheet, row, ...column, raw: filed[at] ?? null })),
	);
	return { status, reason, file: { sha256, name, source, published_on, valid_from, loaded_at }, cells };
}
