import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { countiesBeside, explainCredit, listingsOf, type Request } from "../domain/assess.ts";
import type { ProjectFacts } from "../domain/facts.ts";
import { fieldsRead } from "../domain/facts-read.ts";
import { inputsOf, isScored } from "../domain/score/index.ts";
import { readRequests } from "../jobs/requests.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { energyCommunity, lowIncome } from "./listed-places.ts";

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
