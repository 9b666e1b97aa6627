/** Distinguishes companies founded for one project from those that develop several. Pure. */
import type { CompanyKind } from "#libs/contract/vocabulary.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import { isNamedLikeProjects, isVehicleName, minCompanyFamilies, vehicleForms } from "./name-groups.ts";

/** A company with `minCompanyFamilies` projects in this many counties was not founded for one project, whatever its name. */
const minCompanyCounties = 3;

/** `families`: project families of its requests and of the plants that it reports to the EIA. `counties`: number of counties with its requests. */
export function classifyCompany(name: string, families: ReadonlySet<string>, counties: number): CompanyKind {
	const filed = normaliseName(name);
	// Adds the legal form, because names such as "Oakdale BESS" are filed without it.
	const hasProjectName = filed.isShell || normaliseName(`${name} LLC`).isShell || isVehicleName(filed);
	const isInOnePlace = counties <= 1 && families.size <= 1 && filed.words.some((word) => vehicleForms.has(word));
	const isForOneProject =
		isNamedLikeProjects(name, families) ||
		(hasProjectName && (families.size < minCompanyFamilies || counties < minCompanyCounties)) ||
		isInOnePlace;
	return isForOneProject ? "special_purpose" : "sponsor";
}

const phaseNumbers = /^(\d+|[ivx]+|one|two|three|four|five|phase)$/;

/** Returns "ip lumina bess" for "IP Lumina II BESS, LLC"; null for a short name, which companies of several sponsors can share. */
export function seriesOf(name: string): string | null {
	const keys = normaliseName(name);
	const series = keys.fullKey
		.split(" ")
		.filter((word) => !phaseNumbers.test(word))
		.join(" ");
	return series.length < 8 || keys.distinctKey === "" ? null : series;
}
