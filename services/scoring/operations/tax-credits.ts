import { invalid, notFound } from "#libs/contract/errors.ts";
import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import { findCounty } from "#libs/counties/find-county.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { type Basis, explainCredit, type Request } from "../domain/assess.ts";
import { liesIn, listWarnings, placeOf } from "../domain/places.ts";
import { isScored } from "../domain/score/inputs.ts";
import { calculateCredit } from "../domain/tax-credits/calculate.ts";
import type { Credit } from "../domain/tax-credits/types.ts";
import { loadReferences } from "../references/current.ts";
import type { Resources } from "../resources.ts";
import { readRequests, type StoredRequest } from "../tables/requests.ts";

type Asked = Params<"calculateTaxCredits">;

export function calculateTaxCredits({ sql, now, notice_2025_42 }: Resources): Handler<"calculateTaxCredits"> {
	return async (asked) => {
		const dataVersion = await readDataVersion(sql);
		const asOf = now().toISOString().slice(0, 10);
		const { technology } = asked;
		const county = countyOf(asked);
		const cod = asked.cod_year ?? Number(asOf.slice(0, 4));
		if (Number(asked.construction_start?.slice(0, 4)) > cod)
			throw invalid([
				{ loc: ["query", "construction_start"], msg: `is after the plant is placed in service (${cod})` },
			]);
		const references = await loadReferences(sql);
		const place = placeOf(references, { fips: county?.fips ?? null, tract: asked.tract ?? null });
		const credit = calculateCredit(
			{
				technology,
				capacityMw: asked.capacity_mw,
				codYear: cod,
				constructionStart: asked.construction_start ?? null,
				underConstruction: false,
				domesticContent: asked.domestic_content,
				prevailingWage: asked.pwa,
				lowIncomeCategory: (asked.low_income_category ?? null) as 1 | 2 | 3 | 4 | null,
				elect: asked.credit,
			},
			place,
			{ asOf, notice_2025_42 },
		);
		const assumptions = [
			...(asked.cod_year === undefined ? [`cod_year was not given: placed in service in ${cod} is assumed.`] : []),
			...(county === undefined ? ["county was not given: nothing is said of energy communities there."] : []),
			...credit.assumptions,
			...brownfields(credit),
		];
		const warnings = [...credit.warnings, ...listWarnings(references, credit)];
		const answer = { ...linesOf(credit), warnings, assumptions, as_of: asOf };
		const reply = { data: { ...asking(asked, technology, county, cod), ...answer } };
		return { json: JSON.stringify(reply satisfies Reply<"calculateTaxCredits">), dataVersion };
	};
}

/** Undefined where none was given. Throws 422 for one that the state does not have. */
function countyOf({ state, county, tract }: Asked): { fips: string; name: string } | undefined {
	const text = county === "" ? tract?.slice(0, 5) : county;
	if (text === undefined) return undefined;
	const found = findCounty(state, text);
	const loc = ["query", county === "" ? "tract" : "county"];
	if (found === undefined) throw invalid([{ loc, msg: `"${text}" is no county of ${state}` }]);
	if ("several" in found)
		throw invalid([
			{
				loc,
				msg: `"${text}" is several counties of ${state}: ${found.several.map(({ name, fips }) => `${name} (${fips})`).join(", ")}`,
			},
		]);
	if (tract !== undefined && !liesIn(tract, found.fips))
		throw invalid([
			{ loc: ["query", "tract"], msg: `lies in county ${tract.slice(0, 5)}, not in ${found.name} (${found.fips})` },
		]);
	return found;
}

const asking = (asked: Asked, technology: string, county: { fips: string; name: string } | undefined, cod: number) => ({
	technology,
	capacity_mw: asked.capacity_mw,
	state: asked.state,
	county: county?.name ?? null,
	county_fips: county?.fips ?? null,
	cod,
	construction_start: asked.construction_start ?? null,
});

/**
 * Worked out as it is asked for, from what the rate of the request is worked out from.
 * @throws AppError 404 for a request that is not known
 */
export function readTaxCredit(resources: Resources): Handler<"readTaxCredit"> {
	const { sql, now, notice_2025_42 } = resources;
	return async ({ project_id }) => {
		const dataVersion = await readDataVersion(sql);
		const references = await loadReferences(sql);
		const basis = { today: now().toISOString().slice(0, 10), references, notice_2025_42 };
		const data = dataOf(await readNow(sql, project_id), basis);
		return { json: JSON.stringify({ project_id, data } satisfies Reply<"readTaxCredit">), dataVersion };
	};
}

async function readNow(sql: Sql, id: string): Promise<StoredRequest> {
	const [request] = await readRequests(sql, [id]);
	if (request === undefined) throw notFound(`no tax credit of ${id}`);
	return request;
}

function dataOf({ facts }: Pick<Request, "facts">, basis: Basis): Reply<"readTaxCredit">["data"] {
	if (!isScored({ kind: facts.kind, status: facts.status_std })) return null;
	const { credit, codYear, capacityMw, warnings } = explainCredit(facts, basis);
	return {
		technology: facts.type_std,
		capacity_mw: capacityMw,
		state: facts.state,
		counties: facts.counties,
		cod: codYear,
		...linesOf(credit),
		warnings,
		assumptions: [...credit.assumptions, ...brownfields(credit)],
		as_of: basis.today,
	};
}

// MERGED services/scoring/operations/tax-credits.ts: A credit as the interface shows it.
export function linesOf({ bonuses, ...credit }: Credit) {
	const { energyCommunity, domesticContent, lowIncome } = bonuses;
	const { notice, ...energy } = energyCommunity;
	const { requiredPct, ...domestic } = domesticContent;
	return {
		credit_type: credit.type,
		status: credit.status,
		base_credit_pct: credit.baseRate,
		base_rate: credit.baseRate,
		phase_factor: credit.phaseFactor,
		effective_rate: credit.effectiveRate,
		at_risk_rate: credit.atRiskRate,
		ptc_cents_per_kwh: credit.ptcCentsPerKwh,
		ptc_rate_year: credit.ptcRateYear,
		estimated_credit_value: credit.estimatedValue,
		bonuses: {
			energy_community: { ...energy, notice },
			domestic_content: { ...domestic, required_pct: requiredPct },
			low_income: lowIncome,
		},
		citations: credit.citations,
	};
}

/** What is not looked at, where there is a credit that it would add to. */
export const brownfields = ({ type }: Credit): string[] =>
	type === null ? [] : ["Brownfield sites, which no list names, are not looked at."];
