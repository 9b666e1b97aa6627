/** Measures how much late-stage capacity has a known developer, and how often the developers found match those that operators publish. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { indexByState, readProjects } from "../../plants/jobs/link-plants.ts";
import { readPlants } from "../../plants/jobs/read-plants.ts";
import { factsOf, type LinkProject } from "../../plants/link-pair.ts";
import { isInCounty, linkPlant, withoutRivals } from "../../plants/link-plant.ts";
import { compareNames, namesOf, type PlantName, placeWords } from "../../plants/plant-names.ts";
import { findCompanyByFiledName, findCompanyByPlant, type LinkedPlant } from "../behind-request.ts";
import { readCompanies, readPlantCompanies } from "./read-companies.ts";

interface LateRequest {
	id: string;
	region: string;
	mw: number | null;
	filed: string | null;
	isNamed: boolean;
	hasDeveloper: boolean;
}

const capacityTolerance = 0.1;

export async function measureCoverage(tx: Transaction) {
	const late = await tx<LateRequest[]>`
		select p.id, p.region, p.capacity_mw as mw, p.developer as filed, p.developer_id is not null as "hasDeveloper",
			exists (select from named_developers n where n.raw_name = p.developer) as "isNamed"
		from projects p
		where p.kind = 'generation' and p.status_std in ('Active', 'Suspended') and p.construction_stage in ('late', 'construction')
			and p.missing_since is null order by p.region, p.id`;
	const couldBeNamed = await findNameable(tx);
	const { book } = await readCompanies(tx);
	const regions = Map.groupBy(late, ({ region }) => region);
	return [...regions].map(([region, requests]) => {
		const sumMw = (isCounted: (request: LateRequest) => boolean) =>
			Math.round(requests.filter(isCounted).reduce((total, { mw }) => total + (mw ?? 0), 0));
		return {
			region,
			requests: requests.length,
			mw: sumMw(() => true),
			filedMw: sumMw(({ isNamed }) => isNamed),
			developerMw: sumMw(({ hasDeveloper }) => hasDeveloper),
			// Upper bound: includes requests for which any loaded source names a company, however loosely.
			ceilingMw: sumMw(
				({ id, filed, hasDeveloper }) =>
					hasDeveloper || couldBeNamed.has(id) || (filed !== null && findCompanyByFiledName(filed, book) !== undefined),
			),
		};
	});
}

/** Finds requests that agree in name, or in county, technology and capacity, with an EIA plant that has a company. */
async function findNameable(tx: Transaction): Promise<Set<string>> {
	const { projects, candidates, findCompany } = await readLinkData(tx);
	const found = new Set<string>();
	for (const project of projects) {
		for (const plant of candidates(project)) {
			const facts = factsOf(project, plant);
			if (facts === null) continue;
			const hasSimilarCapacity =
				project.capacityMw !== null && facts.plantMw !== null && isSimilarCapacity(project.capacityMw, facts.plantMw);
			const isInSameCounty = isInCounty(facts);
			const agrees =
				facts.name === "equal" ||
				facts.name === "close" ||
				(facts.name === "unknown" && isInSameCounty && hasSimilarCapacity);
			if (agrees && findCompany({ plantId: plant.plantId, confidence: 1, evidence: "" }) !== undefined)
				found.add(project.id);
		}
	}
	return found;
}

const isSimilarCapacity = (a: number, b: number): boolean => Math.abs(a - b) <= capacityTolerance * Math.max(a, b);

async function readLinkData(tx: Transaction) {
	const states = await tx<{ state: string }[]>`select distinct state from projects where state is not null`;
	const names = states.map(({ state }) => state);
	const listed = await readPlants(tx, names);
	const plants = indexByState(listed);
	const byId = new Map(listed.map((plant) => [plant.plantId, plant]));
	const { book, isCompany } = await readCompanies(tx);
	const companies = await readPlantCompanies(tx);
	const candidates = (project: LinkProject) => plants.get(project.state)?.candidates(project) ?? [];
	const projects = await readProjects(tx, names);
	return {
		projects,
		companies,
		candidates,
		/** Links the requests as if their fields had the values of `overrides`. */
		linkWith: (overrides: Partial<LinkProject>) => {
			const overridden = projects.map((project) => ({ ...project, ...overrides }));
			const links = overridden.flatMap((project) => linkPlant(project, candidates(project)) ?? []);
			return withoutRivals(links, overridden, byId);
		},
		findCompany: (link: Omit<LinkedPlant, "companies">) =>
			findCompanyByPlant({ ...link, companies: companies.get(link.plantId) ?? [] }, book, isCompany),
	};
}

interface Agreement {
	method: string;
	region: string;
	agree: number;
	differ: number;
	differing: string[];
}

/**
 * Hides the developers that operators publish and finds them again through plants. Counts only requests whose filed name is a developer of the
 * register. A result agrees if it is the same developer or has the same parent.
 */
export async function measurePrecision(tx: Transaction): Promise<Agreement[]> {
	const all = await readLinkData(tx);
	const filed = await tx<{ id: string; region: string; name: string; developer: number; parent: string }[]>`
		select p.id, p.region, p.developer as name, d.developer_id as developer, coalesce(d.parent_name, d.canonical_name) as parent
		from projects p join named_developers n on n.raw_name = p.developer join developers d on d.developer_id = n.developer_id
		where d.known and p.kind = 'generation'`;
	const known = new Map(filed.map((row) => [row.id, row]));
	const developers = await tx<{ id: number; parent: string }[]>`
		select developer_id as id, coalesce(parent_name, canonical_name) as parent from developers`;
	const parents = new Map(developers.map(({ id, parent }) => [id, parent]));
	const groups = new Map<string, Agreement>();
	for (const link of all.linkWith({ companies: [] })) {
		const { projectId, method, evidence } = link;
		const request = known.get(projectId);
		const found = request === undefined ? undefined : all.findCompany(link);
		// A company that no register contains cannot be judged: it may be a project company of the filed developer.
		if (request === undefined || found === undefined || found.developerId === null) continue;
		const agrees = found.developerId === request.developer || parents.get(found.developerId) === request.parent;
		const differing = `${projectId}: filed by ${request.name}, found ${found.company} (${evidence})`;
		addResult(groups, { method, region: request.region }, agrees, differing);
	}
	return [...groups.values(), ...(await measureWithoutNames(tx, all))];
}

function addResult(
	groups: Map<string, Agreement>,
	{ method, region }: Pick<Agreement, "method" | "region">,
	agrees: boolean,
	differing: string,
): void {
	const group = groups.get(`${region} ${method}`) ?? { method, region, agree: 0, differ: 0, differing: [] };
	groups.set(`${region} ${method}`, group);
	if (agrees) group.agree++;
	else {
		group.differ++;
		group.differing.push(differing);
	}
}

/**
 * Hides names, which MISO and SPP do not publish, and links requests only by county, capacity, technology and year. The linked plant is right
 * if its name, or a name of its companies, shares a distinctive word with the request or its filing company, or if the developer is the same.
 * Otherwise it counts as wrong, although some right plants have a different name.
 */
async function measureWithoutNames(
	tx: Transaction,
	all: Awaited<ReturnType<typeof readLinkData>>,
): Promise<Agreement[]> {
	const filed = await tx<{ id: string; region: string; name: string; company: string; developer: number | null }[]>`
		select id, region, name, developer as company,
			(select n.developer_id from named_developers n where n.raw_name = projects.developer) as developer
		from projects where developer is not null and name is not null and kind = 'generation' and construction_stage in ('late', 'construction')`;
	const known = new Map(filed.map((row) => [row.id, row]));
	const projects = new Map(all.projects.map((project) => [project.id, project]));
	const links = all.linkWith({ names: [], shellNames: [], companies: [] });
	const groups = new Map<string, Agreement>();
	for (const link of links) {
		const { projectId, plantId, evidence } = link;
		const request = known.get(projectId);
		const project = projects.get(projectId);
		if (request === undefined || project === undefined) continue;
		const plant = all.candidates(project).find((candidate) => candidate.plantId === plantId);
		const companies = all.companies.get(plantId) ?? [];
		const requestWords = wordsOf([...project.names, ...namesOf(request.company)]);
		const plantWords = wordsOf([...(plant?.names ?? []), ...companies.flatMap(({ name }) => namesOf(name))]);
		const places = placeWords(...project.counties, project.state);
		const compare = (names: PlantName[]) => compareNames(names, plant?.names ?? [], places);
		// A project company is often named like its plant, even after the county alone ("Brazoria Solar").
		const isSamePlant =
			compare(project.names) === "equal" ||
			["equal", "close"].includes(compare(project.shellNames)) ||
			requestWords.some((word) => !places.has(word) && plantWords.includes(word));
		const developer = all.findCompany(link)?.developerId ?? null;
		const differing = `${projectId}: ${request.name}, filed by ${request.company}, found ${plant?.name} (${evidence})`;
		const agrees = isSamePlant || (developer !== null && developer === request.developer);
		addResult(groups, { method: "county_capacity_year, names hidden", region: request.region }, agrees, differing);
	}
	return [...groups.values()];
}

const wordsOf = (names: readonly PlantName[]): string[] => names.flatMap(({ words }) => words);
