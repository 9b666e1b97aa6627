/** Tells companies that were made for one project from those that develop several. Pure. */
import type { CompanyKind } from "#libs/contract/vocabulary.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import { familiesOfCompany, isProjectShell } from "./name-groups.ts";

/** `families`: of its requests, and of the plants that it reports to the EIA. */
export function companyKind(name: string, families: Set<string>): CompanyKind {
	const isOfOne =
		isProjectShell(name, { fresh: [name], linked: [], families }) ||
		// "Oakdale BESS" is filed without its legal form.
		(families.size < familiesOfCompany && normaliseName(`${name} LLC`).isShell);
	return isOfOne ? "special_purpose" : "sponsor";
}

const counts = /^(\d+|[ivx]+|one|two|three|four|five|phase)$/;

/** "ip lumina bess" of "IP Lumina II BESS, LLC"; null for a name of few letters, which series of several sponsors can share. */
export function seriesOf(name: string): string | null {
	const keys = normaliseName(name);
	const series = keys.fullKey
		.split(" ")
		.filter((word) => !counts.test(word))
		.join(" ");
	return series.length < 8 || keys.distinctKey === "" ? null : series;
}
