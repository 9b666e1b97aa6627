/** How far the developers behind late-stage requests are known, and how often what is found agrees with what operators publish. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { byState, readProjects } from "../../plants/jobs/link-plants.ts";
import { readPlants } from "../../plants/jobs/read-plants.ts";
import { factsOf, type LinkProject } from "../../plants/link-pair.ts";
import { isInCounty, linkPlant, withoutRivals } from "../../plants/link-plant.ts";
import { compareNames, namesOf, type PlantName, placeWords } from "../../plants/plant-names.ts";
import { behindFiled, behindPlant, type LinkedPlant } from "../behind-request.ts";
import { plantCompanies, readCompanies } from "./read-companies.ts";

interface LateRequest {
	id: string;
	region: string;
	mw: number | null;
	filed: string | null;
	isNamed: boolean;
	hasDeveloper: boolean;
}

const loosely = 0.1;

export async function measureCoverage(tx: Transaction) {
	const late = await tx<LateRequest[]>`
		select p.id, p.region, p.capacity_mw as mw, p.developer as filed, p.developer_id is not null as "hasDeveloper",
			exists (select from named_developers n where n.raw_name = p.developer) as "isNamed"
		from projects p
		where p.kind = 'generation' and p.status_std in ('Active', 'Suspended') and p.construction_stage in ('late', 'construction')
			and p.missing_since is null order by p.region, p.id`;
	const couldBeNamed = await nameable(tx);
	const { book } = await readCompanies(tx);
	const regions = Map.groupBy(late, ({ region }) => region);
	return [...regions].map(([region, requests]) => {
		const sum = (counts: (request: LateRequest) => boolean) =>
			Math.round(requests.filter(counts).reduce((total, { mw }) => total + (mw ?? 0), 0));
		return {
			region,
			requests: requests.length,
			mw: sum(() => true),
			filedMw: sum(({ isNamed }) => isNamed),
			developerMw: sum(({ hasDeveloper }) => hasDeveloper),
			// An upper bound: any loaded source names a company, however loosely.
			ceilingMw: sum(
				({ id, filed, hasDeveloper }) =>
					hasDeveloper || couldBeNamed.has(id) || (filed !== null && behindFiled(filed, book) !== undefined),
			),
		};
	});
}

/** Requests for which some plant of the EIA's that has a company agrees in name, or in county, technology and capacity. */
async function nameable(tx: Transaction): Promise<Set<string>> {
	const { projects, candidates, behind } = await readAll(tx);
	const found = new Set<string>();
	for (const project of projects) {
		for (const plant of candidates(project)) {
			const facts = factsOf(project, plant);
			if (facts === null) continue;
			const fits =
				project.capacityMw !== null && facts.plantMw !== null && isLoosely(project.capacityMw, facts.plantMw);
			const isHere = isInCounty(facts);
			const agrees = facts.name === "equal" || facts.name === "close" || (facts.name === "unknown" && isHere && fits);
			if (agrees && behind({ plantId: plant.plantId, confidence: 1, evidence: "" }) !== undefined)
				found.add(project.id);
		}
	}
	return found;
}

const isLoosely = (a: number, b: number): boolean => Math.abs(a - b) <= loosely * Math.max(a, b);

async function readAll(tx: Transaction) {
	const states = await tx<{ state: string }[]>`select distinct state from projects where state is not null`;
	const names = states.map(({ state }) => state);
	const listed = await readPlants(tx, names);
	const plants = byState(listed);
	const byId = new Map(listed.map((plant) => [plant.plantId, plant]));
	const { book, isCompany } = await readCompanies(tx);
	const companies = await plantCompanies(tx);
	const candidates = (project: LinkProject) => plants.get(project.state)?.candidates(project) ?? [];
	const projects = await readProjects(tx, names);
	return {
		projects,
		companies,
		candidates,
		linksWithout: (hidden: Partial<LinkProject>) => {
			const shown = projects.map((project) => ({ ...project, ...hidden }));
			const links = shown.flatMap((project) => linkPlant(project, candidates(project)) ?? []);
			return withoutRivals(links, shown, byId);
		},
		behind: (link: Omit<LinkedPlant, "companies">) =>
			behindPlant({ ...link, companies: companies.get(link.plantId) ?? [] }, book, isCompany),
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
 * Hides what operators publish and finds it again. Judged are requests whose filed name is a developer of the register: the developer that its
 * plant leads to must be the same, or of the same parent.
 */
export async function measurePrecision(tx: Transaction): Promise<Agreement[]> {
	const all = await readAll(tx);
	const filed = await tx<{ id: string; region: string; name: string; developer: number; parent: string }[]>`
		select p.id, p.region, p.developer as name, d.developer_id as developer, coalesce(d.parent_name, d.canonical_name) as parent
		from projects p join named_developers n on n.raw_name = p.developer join developers d on d.developer_id = n.developer_id
		where d.known and p.kind = 'generation'`;
	const known = new Map(filed.map((row) => [row.id, row]));
	const developers = await tx<{ id: number; parent: string }[]>`
		select developer_id as id, coalesce(parent_name, canonical_name) as parent from developers`;
	const parents = new Map(developers.map(({ id, parent }) => [id, parent]));
	const groups = new Map<string, Agreement>();
	for (const link of all.linksWithout({ companies: [] })) {
		const { projectId, method, evidence } = link;
		const request = known.get(projectId);
		const found = request === undefined ? undefined : all.behind(link);
		// A company that is in no register cannot be judged: it may be the developer under a project's name.
		if (request === undefined || found === undefined || found.developerId === null) continue;
		const agrees = found.developerId === request.developer || parents.get(found.developerId) === request.parent;
		const differing = `${projectId}: filed by ${request.name}, found ${found.company} (${evidence})`;
		count(groups, { method, region: request.region }, agrees, differing);
	}
	return [...groups.values(), ...(await measureNameless(tx, all))];
}

function count(
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
 * As MISO and SPP publish them: names are hidden, and requests linked by county, capacity, technology and year alone. The plant found is right
 * where its name, or that of one of its companies, shares a word of its own with the request or the company that filed it, or where the developer
 * is the same; else it counts as wrong, although some go by another name.
 */
async function measureNameless(tx: Transaction, all: Awaited<ReturnType<typeof readAll>>): Promise<Agreement[]> {
	const filed = await tx<{ id: string; region: string; name: string; company: string; developer: number | null }[]>`
		select id, region, name, developer as company,
			(select n.developer_id from named_developers n where n.raw_name = projects.developer) as developer
		from projects where developer is not null and name is not null and kind = 'generation' and construction_stage in ('late', 'construction')`;
	const known = new Map(filed.map((row) => [row.id, row]));
	const projects = new Map(all.projects.map((project) => [project.id, project]));
	const links = all.linksWithout({ names: [], shellNames: [], companies: [] });
	const groups = new Map<string, Agreement>();
	for (const link of links) {
		const { projectId, plantId, evidence } = link;
		const request = known.get(projectId);
		const project = projects.get(projectId);
		if (request === undefined || project === undefined) continue;
		const plant = all.candidates(project).find((one) => one.plantId === plantId);
		const companies = all.companies.get(plantId) ?? [];
		const called = wordsOf([...project.names, ...namesOf(request.company)]);
		const there = wordsOf([...(plant?.names ?? []), ...companies.flatMap(({ name }) => namesOf(name))]);
		const places = placeWords(...project.counties, project.state);
		const compare = (names: PlantName[]) => compareNames(names, plant?.names ?? [], places);
		// A project company is often named like its plant, even after the county alone ("Brazoria Solar").
		const isSame =
			compare(project.names) === "equal" ||
			["equal", "close"].includes(compare(project.shellNames)) ||
			called.some((word) => !places.has(word) && there.includes(word));
		const developer = all.behind(link)?.developerId ?? null;
		const differing = `${projectId}: ${request.name}, filed by ${request.company}, found ${plant?.name} (${evidence})`;
		const agrees = isSame || (developer !== null && developer === request.developer);
		count(groups, { method: "county_capacity_year, names hidden", region: request.region }, agrees, differing);
	}
	return [...groups.values()];
}

const wordsOf = (names: readonly PlantName[]): string[] => names.flatMap(({ words }) => words);
