/** Computes the federal tax credit of a plant that the caller describes, or of a request, on demand. */
import { invalid, notFound } from "#libs/contract/errors.ts";
import type { Handlers, Params, Reply } from "#libs/contract/index.ts";
import { findCounty } from "#libs/counties/find-county.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { assess } from "../domain/assess.ts";
import { isTractInCounty, listWarnings, lookUpListings } from "../domain/places.ts";
import { isOpen } from "../domain/score/inputs.ts";
import { calculateCredit } from "../domain/tax-credits/calculate.ts";
import type { Credit, LowIncomeCategory } from "../domain/tax-credits/types.ts";
import { loadReferences } from "../references/current.ts";
import type { Resources } from "../resources.ts";
import { readRequests } from "../tables/requests.ts";

export const taxCreditOperations = ({ sql, now, notice_2025_42 }: Resources) =>
	({
		async calculateTaxCredits(params) {
			const dataVersion = await readDataVersion(sql);
			const asOf = now().toISOString().slice(0, 10);
			const { technology, state, capacity_mw, construction_start = null, low_income_category = null } = params;
			const county = countyOf(params);
			const cod = params.cod_year ?? Number(asOf.slice(0, 4));
			if (Number(construction_start?.slice(0, 4)) > cod)
				throw invalid([
					{ loc: ["query", "construction_start"], msg: `is after the plant is placed in service (${cod})` },
				]);
			const references = await loadReferences(sql);
			const credit = calculateCredit(
				{
					technology,
					capacityMw: capacity_mw,
					codYear: cod,
					constructionStart: construction_start,
					state,
					listed: null,
					noValueWarning: null,
					domesticContent: params.domestic_content,
					prevailingWage: params.pwa,
					lowIncomeCategory: low_income_category as LowIncomeCategory | null,
					elect: params.credit,
				},
				lookUpListings(references, { fips: county?.fips ?? null, tract: params.tract ?? null }),
				{ asOf, notice_2025_42 },
			);
			const data = {
				technology,
				capacity_mw,
				state,
				county: county?.name ?? null,
				county_fips: county?.fips ?? null,
				cod,
				construction_start,
				...toCreditFields(credit),
				warnings: [...credit.warnings, ...listWarnings(references, credit)],
				assumptions: [
					...(params.cod_year === undefined
						? [`cod_year was not given, so the plant is assumed to be placed in service in ${cod}.`]
						: []),
					...(county === undefined
						? ["county was not given, so whether the place is an energy community is not known."]
						: []),
					...credit.assumptions,
					...listBrownfieldAssumptions(credit),
				],
				as_of: asOf,
			};
			return { json: JSON.stringify({ data } satisfies Reply<"calculateTaxCredits">), dataVersion };
		},

		/** @throws AppError 404 if the request is unknown */
		async readTaxCredit({ project_id }) {
			const dataVersion = await readDataVersion(sql);
			const references = await loadReferences(sql);
			const [request] = await readRequests(sql, [project_id]);
			if (request === undefined) throw notFound(`no request ${project_id}`);
			const { facts } = request;
			const today = now().toISOString().slice(0, 10);
			const reply: Reply<"readTaxCredit"> = { project_id, data: null };
			if (isOpen(facts)) {
				const { explained, credit: row, score } = assess(request, { today, references, notice_2025_42 });
				const { credit, codYear, capacityMw, warnings } = explained;
				reply.data = {
					technology: facts.added_type_std ?? facts.type_std,
					capacity_mw: capacityMw,
					state: facts.state,
					counties: facts.counties,
					cod: codYear,
					...toCreditFields(credit),
					p_credit: row.p_credit,
					expected_credit_value: row.expected_value,
					p_reason: score.chances?.reason ?? null,
					warnings,
					assumptions: [...credit.assumptions, ...listBrownfieldAssumptions(credit)],
					as_of: today,
				};
			}
			return { json: JSON.stringify(reply), dataVersion };
		},
	}) satisfies Partial<Handlers<"scoring">>;

/** Returns undefined if the caller named no county. @throws AppError 422 if the state has no such county */
function countyOf({ state, county, tract }: Params<"calculateTaxCredits">): { fips: string; name: string } | undefined {
	const text = county === "" ? tract?.slice(0, 5) : county;
	if (text === undefined) return undefined;
	const found = findCounty(state, text);
	const refuse = (field: string, msg: string) => invalid([{ loc: ["query", field], msg }]);
	const field = county === "" ? "tract" : "county";
	if (found === undefined) throw refuse(field, `"${text}" is not a county of ${state}`);
	if ("several" in found) {
		const names = found.several.map(({ name, fips }) => `${name} (${fips})`).join(", ");
		throw refuse(field, `"${text}" matches several counties of ${state}: ${names}`);
	}
	if (tract !== undefined && !isTractInCounty(tract, found.fips))
		throw refuse("tract", `lies in county ${tract.slice(0, 5)}, not in ${found.name} (${found.fips})`);
	return found;
}

function toCreditFields({ bonuses, ...credit }: Credit) {
	const { requiredPct, ...domestic } = bonuses.domesticContent;
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
			energy_community: bonuses.energyCommunity,
			domestic_content: { ...domestic, required_pct: requiredPct },
			low_income: bonuses.lowIncome,
		},
		citations: credit.citations,
	};
}

const listBrownfieldAssumptions = ({ type }: Credit): string[] =>
	type === null ? [] : ["Brownfield sites, which no list names, are not taken into account."];
