/**
 * Finds the company behind a request whose filed name is not that of a developer: by the filed name, else by the companies that the EIA names
 * for the linked plant, else by other requests of the same series of companies. Pure.
 */
import type { CompanyMethod } from "#libs/contract/vocabulary.ts";
import type { Company, CompanyBook } from "./company-book.ts";

export interface PlantCompany {
	plantId: number;
	name: string;
	role: "entity" | "owner";
	/** Date of the edition that last named the company, in days since 1970. */
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
	/** Null if no register contains the company; `company` is its name. */
	developerId: number | null;
	method: CompanyMethod;
	confidence: number;
	company: string;
	evidence: string;
	plantId: number | null;
}

/** Entities named within this many days before the newest edition are current, because the lists of a month have different dates. */
const currentDays = 60;
const majority = 0.5;
/** Confidence factor for a former entity, which may have sold the plant. */
const formerFactor = 0.8;
/** Companies that hold title on behalf of others. */
const trustees = /\b(bank|trust|trustee|leasing|funding|credit suisse|jpmorgan|u\.?s\.? bancorp)\b/i;

/**
 * Prefers companies of the register to others, and current entities to former ones. `isCompany`: whether a name that no register contains
 * looks like a company's rather than a project's.
 */
export function findCompanyByPlant(
	plant: LinkedPlant,
	book: CompanyBook,
	isCompany: (name: string) => boolean,
): FoundCompany | undefined {
	const entities = newestFirst(plant, "entity");
	const currentEntities = entities.filter(({ asOf }) => asOf >= (entities[0]?.asOf ?? 0) - currentDays);
	const owners = newestFirst(plant, "owner");
	const majorityOwners = owners.filter(
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
		findRegistered(currentEntities, "eia_entity") ??
		findRegistered(majorityOwners, "eia_owner") ??
		findUnregistered(currentEntities, "eia_entity") ??
		findUnregistered(majorityOwners, "eia_owner") ??
		findRegistered(entities, "eia_former_entity", formerFactor)
	);
}

const newestFirst = ({ companies }: LinkedPlant, role: PlantCompany["role"]): PlantCompany[] =>
	companies.filter((company) => company.role === role).sort((a, b) => b.asOf - a.asOf || a.name.localeCompare(b.name));

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
	const reason = company === null || company.method === "name" ? "" : `; ${company.evidence}`;
	return {
		developerId: company?.developerId ?? null,
		method,
		confidence: Math.round(confidence * 100) / 100,
		company: name,
		evidence: `plant ${plant.plantId}, ${relations[method]} ${name}: ${plant.evidence}${reason}`,
		plantId: plant.plantId,
	};
}

/** `byPlant`: the company behind the linked plant. It takes precedence over a match by notice address only, which several companies can share. */
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
	/** Words shared by the companies of one series ("ip lumina bess"); null if no name was filed or it is too short. */
	family: string | null;
}

/** Assigns the sponsor of a series of companies ("IP Lumina BESS", "IP Lumina II BESS") to the other requests of the series, if only one sponsor is known. */
export function findCompaniesBySeries(
	requests: readonly FiledRequest[],
	found: ReadonlyMap<string, FoundCompany>,
): Map<string, FoundCompany> {
	const known = requests.flatMap(({ id, family }) => {
		const company = found.get(id);
		return family === null || company === undefined || company.method === "eia_former_entity"
			? []
			: [{ id, family, company }];
	});
	const families = Map.groupBy(known, ({ family }) => family);
	const sponsorOf = ({ company }: { company: FoundCompany }) => company.developerId ?? company.company;
	const assigned = new Map<string, FoundCompany>();
	for (const { id, family } of requests) {
		const [first, ...others] = family === null || found.has(id) ? [] : (families.get(family) ?? []);
		if (first === undefined || others.some((other) => sponsorOf(other) !== sponsorOf(first))) continue;
		const confidence = Math.round(first.company.confidence * 90) / 100;
		const evidence = `${relations.same_company} ${first.id}: ${first.company.evidence}`.slice(0, 1_000);
		assigned.set(id, { ...first.company, method: "same_company", confidence, evidence, plantId: null });
	}
	return assigned;
}
