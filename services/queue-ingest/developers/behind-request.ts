/**
 * Which company stands behind a request whose filed name is no developer's: by that name, else by what the EIA says of the plant that the
 * request is linked to, else as others that the same company filed. Pure.
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

export interface Behind {
	/** Null for a company that no register knows: `company` is its name. */
	developerId: number | null;
	method: CompanyMethod;
	confidence: number;
	company: string;
	evidence: string;
	plantId: number | null;
}

/** Entities of editions this near to the newest are named together: two lists of one month. */
const together = 60;
const majority = 0.5;
/** Who was named before may have sold the plant. */
const formerly = 0.8;
/** They hold titles for others. */
const trustees = /\b(bank|trust|trustee|leasing|funding|credit suisse|jpmorgan|u\.?s\.? bancorp)\b/i;

/**
 * `isCompany`: does the name, that no register knows, look like that of a company rather than of a project? A company of the register
 * comes before one that is not, and who is named now before who was.
 */
export function behindPlant(
	plant: LinkedPlant,
	book: CompanyBook,
	isCompany: (name: string) => boolean,
): Behind | undefined {
	const entities = newestFirst(plant, "entity");
	const now = entities.filter(({ asOf }) => asOf >= (entities[0]?.asOf ?? 0) - together);
	const owners = newestFirst(plant, "owner");
	const holders = owners.filter(
		({ asOf, share, name }) => asOf === owners[0]?.asOf && (share ?? 0) >= majority && !trustees.test(name),
	);
	const known = (list: PlantCompany[], method: CompanyMethod, times = 1): Behind | undefined => {
		for (const { name } of list) {
			const found = book.find(name);
			if (found !== undefined) return behind(plant, method, name, found, times);
		}
		return undefined;
	};
	const unknown = (list: PlantCompany[], method: CompanyMethod): Behind | undefined => {
		const name = list.find((company) => isCompany(company.name))?.name;
		return name === undefined ? undefined : behind(plant, method, name, null, 1);
	};
	return (
		known(now, "eia_entity") ??
		known(holders, "eia_owner") ??
		unknown(now, "eia_entity") ??
		unknown(holders, "eia_owner") ??
		known(entities, "eia_former_entity", formerly)
	);
}

const newestFirst = ({ companies }: LinkedPlant, role: PlantCompany["role"]): PlantCompany[] =>
	companies.filter((one) => one.role === role).sort((a, b) => b.asOf - a.asOf || a.name.localeCompare(b.name));

const said: Record<CompanyMethod, string> = {
	filed_company: "filed by",
	eia_entity: "reported to the EIA by",
	eia_owner: "owned by",
	eia_former_entity: "formerly reported to the EIA by",
	same_company: "filed by the company of",
	replaced_plant: "reported to the EIA by",
};

function behind(
	plant: LinkedPlant,
	method: CompanyMethod,
	name: string,
	company: Company | null,
	times: number,
): Behind {
	const confidence = plant.confidence * (company?.confidence ?? 1) * times;
	const why = company === null || company.method === "name" ? "" : `; ${company.evidence}`;
	return {
		developerId: company?.developerId ?? null,
		method,
		confidence: Math.round(confidence * 100) / 100,
		company: name,
		evidence: `plant ${plant.plantId}, ${said[method]} ${name}: ${plant.evidence}${why}`,
		plantId: plant.plantId,
	};
}

export function behindFiled(filed: string, book: CompanyBook): Behind | undefined {
	const found = book.find(filed);
	if (found === undefined || found.method === "name") return undefined;
	const { developerId, confidence, evidence } = found;
	return { developerId, method: "filed_company", confidence, company: filed, evidence, plantId: null };
}

interface FiledRequest {
	id: string;
	/** The words that the companies of one sponsor's project share ("ip lumina bess"); null where nothing was filed. */
	family: string | null;
}

/** The series of one project's companies ("IP Lumina BESS", "IP Lumina II BESS") has one sponsor, where all that are known agree. */
export function behindFamilies(
	requests: readonly FiledRequest[],
	found: ReadonlyMap<string, Behind>,
): Map<string, Behind> {
	const known = requests.flatMap(({ id, family }) => {
		const one = found.get(id);
		return family === null || one === undefined || one.method === "eia_former_entity" ? [] : [{ id, family, one }];
	});
	const families = Map.groupBy(known, ({ family }) => family);
	const companyOf = ({ one }: { one: Behind }) => one.developerId ?? one.company;
	const more = new Map<string, Behind>();
	for (const { id, family } of requests) {
		const [first, ...others] = family === null || found.has(id) ? [] : (families.get(family) ?? []);
		if (first === undefined || others.some((other) => companyOf(other) !== companyOf(first))) continue;
		const confidence = Math.round(first.one.confidence * 90) / 100;
		const evidence = `${said.same_company} ${first.id}: ${first.one.evidence}`.slice(0, 1_000);
		more.set(id, { ...first.one, method: "same_company", confidence, evidence, plantId: null });
	}
	return more;
}
