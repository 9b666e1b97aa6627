import { invalid } from "#libs/contract/errors.ts";
import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import { findCounty } from "#libs/counties/find-county.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { liesIn, listWarnings, placeOf } from "../domain/places.ts";
import { calculateCredit } from "../domain/tax-credits/index.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { brownfields, linesOf } from "./credit-lines.ts";

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
