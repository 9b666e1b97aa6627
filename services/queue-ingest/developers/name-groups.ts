/** Groups the spellings of a name with their requests, to decide whether it is a developer's or that of a single project's shell company. */
import { type NameKeys, normaliseName, projectFamily } from "#libs/names/normalise.ts";
import { plantTechnologies } from "#libs/names/words.ts";
import type { Transaction } from "#libs/postgres/connect.ts";

export interface FiledName {
	name: string;
	projects: string[];
}

export interface NameGroup {
	/** Spellings without a link. */
	fresh: string[];
	/** Spellings with a link. */
	linked: { name: string; outcome: string }[];
	families: Set<string>;
}

/** A name with at least this many differently named projects is that of a company, however it is spelled. */
export const minCompanyFamilies = 3;

export function isProjectShell(name: string, { fresh, linked, families }: NameGroup): boolean {
	if (families.size >= minCompanyFamilies) return false;
	if (isNamedLikeProjects(name, families)) return true;
	const spellings = [...fresh, ...linked.map((link) => link.name)].map(normaliseName);
	return spellings.some(({ isShell }) => isShell) || (families.size < 2 && spellings.some(isVehicleName));
}

/** Whether all project families are named like the company. Example: "Sunscape Solar SLF" and "Sunscape BESS SLF", of Sunscape LLC. */
export function isNamedLikeProjects(name: string, families: ReadonlySet<string>): boolean {
	const companyFamily = withoutTechnology(projectFamily(name));
	return families.size > 0 && [...families].every((family) => withoutTechnology(family) === companyFamily);
}

/** Removes trailing technology words and "SLF", ERCOT's term for a self-limiting facility. */
function withoutTechnology(family: string): string {
	const words = family.split(" ");
	const end = words.findLastIndex((word) => word !== "slf" && !plantTechnologies.has(word));
	return end < 0 ? family : words.slice(0, end + 1).join(" ");
}

/** Legal forms of companies that hold one asset. */
export const vehicleForms = new Set(["llc", "lp", "llp"]);
/** Words in the names of companies that hold more than one asset. */
const companyWords = new Set(
	`association authority capital company cooperative corporation developer developers development electric energy group holdings
	infrastructure international investments management partners power renewable renewables resources services solutions utilities
	ventures`.split(/\s+/),
);

/** Whether the name suits a company that holds one asset: true for "Regis Lyssy LLC", false for "Quillfeather Renewables LLC". */
export function isVehicleName({ words }: NameKeys): boolean {
	return words.some((word) => vehicleForms.has(word)) && !words.some((word) => companyWords.has(word));
}

export async function readNameGroups(tx: Transaction, filed: readonly FiledName[]): Promise<NameGroup[]> {
	const groups = new Map<string, NameGroup>();
	const groupOf = (key: string) => {
		const group = groups.get(key) ?? { fresh: [], linked: [], families: new Set<string>() };
		groups.set(key, group);
		return group;
	};
	for (const { name, projects } of filed) {
		const group = groupOf(normaliseName(name).fullKey);
		group.fresh.push(name);
		for (const project of projects) group.families.add(projectFamily(project));
	}
	const links = await tx<{ name: string; full_key: string; outcome: string; projects: string[] }[]>`
		select l.raw_name as name, l.full_key, l.outcome, coalesce(array_agg(distinct p.name) filter (where p.name is not null), '{}') as projects
		from developer_links l left join projects p on p.developer = l.raw_name and l.outcome in ('shell', 'new')
		where l.full_key = any(${[...groups.keys()]}::text[])
		group by l.raw_name, l.full_key, l.outcome`;
	for (const { name, full_key, outcome, projects } of links) {
		const group = groupOf(full_key);
		group.fresh = group.fresh.filter((known) => known !== name);
		group.linked.push({ name, outcome });
		for (const project of projects) group.families.add(projectFamily(project));
	}
	return [...groups.values()];
}
