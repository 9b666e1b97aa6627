/** Distinguishes companies that were founded for one project from those that develop several. Pure. */
import type { CompanyKind } from "#libs/contract/vocabulary.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import { familiesOfCompany, isNameOf, isVehicle, vehicleForms } from "./name-groups.ts";

/** A company with `familiesOfCompany` projects in this many counties was not founded for one project, whatever its name. */
const countiesOfCompany = 3;

/** `families`: those of its requests and of the plants that it reports to the EIA. `counties`: the number of counties with its requests. */
export function companyKind(name: string, families: ReadonlySet<string>, counties: number): CompanyKind {
	const filed = normaliseName(name);
	// "Oakdale BESS" is filed without its legal form.
	const hasProjectName = filed.isShell || normaliseName(`${name} LLC`).isShell || isVehicle(filed);
	const isInOnePlace = counties <= 1 && families.size <= 1 && filed.words.some((word) => vehicleForms.has(word));
	const isForOneProject =
		isNameOf(name, families) ||
		(hasProjectName && (families.size < familiesOfCompany || counties < countiesOfCompany)) ||
		isInOnePlace;
	return isForOneProject ? "special_purpose" : "sponsor";
}

const phaseNumbers = /^(\d+|[ivx]+|one|two|three|four|five|phase)$/;

/** "ip lumina bess" for "IP Lumina II BESS, LLC"; null for a short name, which series of several sponsors can share. */
export function seriesOf(name: string): string | null {
	const keys = normaliseName(name);
	const series = keys.fullKey
		.split(" ")
		.filter((word) => !phaseNumbers.test(word))
		.join(" ");
	return series.length < 8 || keys.distinctKey === "" ? null : series;
}
