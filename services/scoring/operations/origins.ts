import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { listCodes, relatedCodes } from "#libs/counties/codes.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { countiesBeside, explainCredit, listingsOf, type Request } from "../domain/assess.ts";
import { fieldsRead, type ProjectFacts } from "../domain/facts.ts";
import { inputsOf, isScored } from "../domain/score/inputs.ts";
import type { BonusListing } from "../domain/tax-credits/types.ts";
import {
	type ListFile,
	loadReferences,
	newestCountyFile,
	newestLowIncomeFile,
	newestTractFile,
} from "../references/current.ts";
import type { Resources } from "../resources.ts";
import { readRequests } from "../tables/requests.ts";

type Origins = Reply<"readOrigins">;

/** What the score takes of the developer and of the credit, which are computed before it. */
const ofOthers = ["developer_id", "tax_credit_type", "tax_credit_status", "tax_credit_pct"];

/** @throws AppError 404 for a request that is not known */
export function readOrigins(resources: Resources): Handler<"readOrigins"> {
	const { sql, now, notice_2025_42 } = resources;
	return async ({ project_id }) => {
		const dataVersion = await readDataVersion(sql);
		const request = await requestOf(sql, project_id);
		const references = await loadReferences(sql);
		const basis = { today: now().toISOString().slice(0, 10), references, notice_2025_42 };
		const { facts } = request;
		const counties = countiesOf(facts);
		const said = listingsOf(references, facts);
		const open = isScored({ kind: facts.kind, status: facts.status_std });
		const reply: Origins = {
			energy_community: await energyCommunity(sql, said.energyCommunity, counties),
			low_income: await lowIncome(sql, said.lowIncome, counties),
			listing_facts: fieldsRead(facts, countiesOf),
			credit: open ? creditOf(facts, basis) : null,
			score: open ? await scoreOf(sql, request, basis.today) : null,
		};
		return { json: JSON.stringify(reply), dataVersion };
	};
}

async function requestOf(sql: Sql, id: string): Promise<Request> {
	const [request] = await readRequests(sql, [id]);
	if (request === undefined) throw notFound(`nothing is computed of ${id}`);
	return request;
}

const countiesOf = (facts: ProjectFacts): string[] =>
	[facts.fips, ...countiesBeside(facts)].filter((fips) => fips !== null);

function creditOf(facts: ProjectFacts, basis: Parameters<typeof explainCredit>[1]): Origins["credit"] {
	const { credit, warnings } = explainCredit(facts, basis);
	const { status, reason } = credit.bonuses.domesticContent;
	return {
		status: credit.status,
		reasons: [...warnings.map(({ message }) => message), ...credit.assumptions],
		domestic_content: { status, reason },
		facts: fieldsRead(facts, (each) => explainCredit(each, basis)),
		citations: credit.citations,
	};
}

async function scoreOf(sql: Sql, { facts, developer, duplicate, cost_usd_per_kw }: Request, today: string) {
	const [stored] = await sql<NonNullable<Origins["score"]>[]>`
		select s.score_version, s.inputs_hash, iso(s.scored_at) as scored_at, case when i.project_id is not null then json_build_object(
			'file', (select name from reference_files f where f.source = 'ic-costs' and f.sha256 = i.sha256), 'sha256', i.sha256,
			'source', i.source, 'usd_per_kw', i.cost_usd_per_kw) end as cost
		from settings t join scores s on s.score_version = t.active_version
		left join interconnection_costs i using (project_id)
		where s.project_id = ${facts.project_id}`;
	if (stored === undefined) return null;
	const about = { credit: null, developer, duplicate, costPerKw: cost_usd_per_kw };
	return { ...stored, facts: [...fieldsRead(facts, (each) => inputsOf(each, about, today)), ...ofOthers] };
}

// MERGED services/scoring/operations/origins.ts: The rows of the lists in use that say something of the counties of a request, with their cells.
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
