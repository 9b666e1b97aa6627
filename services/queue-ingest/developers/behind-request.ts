/**
 * Finds the company behind a request whose filed name is not a developer's: by that name, else by the companies that the EIA names for the
 * linked plant, else by other requests of the same series of companies. Pure.
 */
import type { CompanyMethod } from "#libs/contract/vocabulary.ts";
import type { Company, CompanyBook } from "./company-book.ts";

export interface PlantCompany {
	plantId: number;
	name: string;
	role: "entity" | "owner";
	/** Days since 1970, of the edition that last named it. */
	asOf: number;
	/** Share of an owner, 0 to 1. */
	share: number | null;
}

export interface LinkedPlant {
	plantId: number;
	confidence: number;
	evidence: string;
	companies: readonly PlantCompany[];
}

export interface FoundCompany {
	/** Null for a company that no register contains; `company` is its name. */
	developerId: number | null;
	method: CompanyMethod;
	confidence: number;
	company: string;
	evidence: string;
	plantId: number | null;
}

/** Entities named within this many days before the newest edition are current, because two lists can be of one month. */
const currentDays = 60;
const majority = 0.5;
/** Confidence factor for a former entity, which may have sold the plant. */
const formerFactor = 0.8;
/** Companies that hold title for others. */
const trustees = /\b(bank|trust|trustee|leasing|funding|credit suisse|jpmorgan|u\.?s\.? bancorp)\b/i;

/**
 * `isCompany`: whether a name that no register contains looks like a company's, not a project's. Companies of the register come before
 * others, and current entities before former ones.
 */
export function findCompanyByPlant(
	plant: LinkedPlant,
	book: CompanyBook,
	isCompany: (name: string) => boolean,
): FoundCompany | undefined {
	const entities = newestFirst(plant, "entity");
	const now = entities.filter(({ asOf }) => asOf >= (entities[0]?.asOf ?? 0) - currentDays);
	const owners = newestFirst(plant, "owner");
	const holders = owners.filter(
		({ asOf, share, name }) => asOf === owners[0]?.asOf && (share ?? 0) >= majority && !trustees.test(name),
	);
	const findRegistered = (list: PlantCompany[], method: CompanyMethod, factor = 1): FoundCompany | undefined => {
		for (const { name } of list) {
			const found = book.find(name);
			if (found !== undefined) return describeCompany(plant, method, name, found, factor);
		}
		return undefined;
	};
	const findUnregistered = (list: PlantCompany[], method: CompanyMethod): FoundCompany | undefined => {
		const name = list.find((company) => isCompany(company.name))?.name;
		return name === undefined ? undefined : describeCompany(plant, method, name, null, 1);
	};
	return (
		findRegistered(now, "eia_entity") ??
		findRegistered(holders, "eia_owner") ??
		findUnregistered(now, "eia_entity") ??
		findUnregistered(holders, "eia_owner") ??
		findRegistered(entities, "eia_former_entity", formerFactor)
	);
}

const newestFirst = ({ companies }: LinkedPlant, role: PlantCompany["role"]): PlantCompany[] =>
	companies.filter((one) => one.role === role).sort((a, b) => b.asOf - a.asOf || a.name.localeCompare(b.name));

const relations: Record<CompanyMethod, string> = {
	filed_company: "filed by",
	eia_entity: "reported to the EIA by",
	eia_owner: "owned by",
	eia_former_entity: "formerly reported to the EIA by",
	same_company: "filed by the company of",
	replaced_plant: "reported to the EIA by",
};

function describeCompany(
	plant: LinkedPlant,
	method: CompanyMethod,
	name: string,
	company: Company | null,
	factor: number,
): FoundCompany {
	const confidence = plant.confidence * (company?.confidence ?? 1) * factor;
	const why = company === null || company.method === "name" ? "" : `; ${company.evidence}`;
	return {
		developerId: company?.developerId ?? null,
		method,
		confidence: Math.round(confidence * 100) / 100,
		company: name,
		evidence: `plant ${plant.plantId}, ${relations[method]} ${name}: ${plant.evidence}${why}`,
		plantId: plant.plantId,
	};
}

/** `byPlant`: the company behind the linked plant. It is preferred to one that is known only by an address, which may be a namesake's. */
export function findCompanyByFiledName(
	filed: string,
	book: CompanyBook,
	byPlant?: FoundCompany,
): FoundCompany | undefined {
	const found = book.find(filed);
	if (found === undefined || found.method === "name") return undefined;
	const isSurer = byPlant?.method === "eia_entity" && byPlant.confidence > found.confidence;
	if (found.method === "notice_address" && isSurer && byPlant.developerId !== found.developerId) return byPlant;
	const { developerId, confidence, evidence } = found;
	return { developerId, method: "filed_company", confidence, company: filed, evidence, plantId: null };
}

interface FiledRequest {
	id: string;
	/** The words that the companies of one series share ("ip lumina bess"); null if no name was filed. */
	family: string | null;
}

/** Assigns the sponsor of a series of companies ("IP Lumina BESS", "IP Lumina II BESS") to its other requests, if all its known companies have the same. */
export function findCompaniesBySeries(
	requests: readonly FiledRequest[],
	found: ReadonlyMap<string, FoundCompany>,
): Map<string, FoundCompany> {
	const known = requests.flatMap(({ id, family }) => {
		const one = found.get(id);
		return family === null || one === undefined || one.method === "eia_former_entity" ? [] : [{ id, family, one }];
	});
	const families = Map.groupBy(known, ({ family }) => family);
	const companyOf = ({ one }: { one: FoundCompany }) => one.developerId ?? one.company;
	const more = new Map<string, FoundCompany>();
	for (const { id, family } of requests) {
		const [first, ...others] = family === null || found.has(id) ? [] : (families.get(family) ?? []);
		if (first === undefined || others.some((other) => companyOf(other) !== companyOf(first))) continue;
		const confidence = Math.round(first.one.confidence * 90) / 100;
		const evidence = `${relations.same_company} ${first.id}: ${first.one.evidence}`.slice(0, 1_000);
		more.set(id, { ...first.one, method: "same_company", confidence, evidence, plantId: null });
	}
	return more;
}
