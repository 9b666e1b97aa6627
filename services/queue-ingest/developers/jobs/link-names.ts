/** Links each filed developer name once to the developer that it names, and stores the link with its evidence. */
import { normaliseName, projectFamily } from "#libs/names/normalise.ts";
import { createResolver, type KnownDeveloper, type Resolution, type Resolver } from "#libs/names/resolve.ts";
import { tidyName } from "#libs/names/tidy-name.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { OwnerName } from "../../history/events/record-ownership.ts";
import { type FiledName, isProjectShell, type NameGroup, readNameGroups } from "../name-groups.ts";
import { rewriteLinkedProjects } from "./relink-projects.ts";

/** Resolver for the loaded edition of the register. Building it takes longer than linking the names of most lists, so it is cached. */
let cached: { sha256: string; resolver: Resolver } | undefined;

export async function loadResolver(tx: Transaction): Promise<Resolver> {
	const [edition] = await tx<{ sha256: string }[]>`select sha256 from register_edition`;
	if (cached !== undefined && cached.sha256 === edition?.sha256) return cached.resolver;
	const known = await tx<KnownDeveloper[]>`
		select d.developer_id as id, d.canonical_name as canonical, d.ambiguous, d.prefixes,
			coalesce((select json_agg(json_build_object('alias', a.alias, 'ambiguous', a.ambiguous) order by a.alias)
				from developer_aliases a where a.developer_id = d.developer_id), '[]') as aliases
		from developers d where d.known order by d.developer_id`;
	const resolver = createResolver(known);
	if (edition !== undefined) cached = { sha256: edition.sha256, resolver };
	return resolver;
}

/**
 * Reads every developer name in a table of requests, with the project names filed under it. In a rebuild (`states`), reads only names without
 * a link. Skips installers of distributed generation, which are not developers in the queues.
 */
export const readFiledNames = (tx: Transaction, table: "staged" | "states" | "projects"): Promise<FiledName[]> => tx<
	FiledName[]
>`
	select developer as name, coalesce(array_agg(distinct name) filter (where name is not null), '{}') as projects
	from ${tx(table)} where developer is not null and kind not in ('distribution', 'utility')
		and (${table !== "states"} or developer not in (select raw_name from developer_links))
	group by developer order by developer`;

/**
 * Links the names that have no link yet; requires the schema-wide write lock. All spellings of an unknown company's name become one developer
 * of tier `unknown`; the shell company of a single project does not become a developer. Whether a name is a shell is decided again when more
 * requests are filed under it. @returns the ids of developers whose requests changed as a result
 */
export async function linkNames(tx: Transaction, filed: readonly FiledName[]): Promise<number[]> {
	if (filed.length === 0) return [];
	const resolver = await loadResolver(tx);
	const groups = await readNameGroups(tx, filed);
	const newNames: ResolvedName[] = [];
	const changedNames: ResolvedName[] = [];
	for (const group of groups) {
		for (const name of group.fresh)
			newNames.push({ name, resolution: decideShell(resolver.resolve(name), name, group) });
		for (const { name, outcome } of group.linked) {
			const resolution =
				outcome === "shell" || outcome === "new" ? decideShell(asNewDeveloper(name), name, group) : undefined;
			if (resolution !== undefined && resolution.kind !== outcome) changedNames.push({ name, resolution });
		}
	}
	const idsByKey = await addDevelopers(tx, [...newNames, ...changedNames]);
	const rows = [...newNames, ...changedNames].map(({ name, resolution }) => toLinkRow(name, resolution, idsByKey));
	await writeLinks(tx, rows);
	await applyNameCorrections(tx);
	return changedNames.length === 0 ? [] : rewriteLinkedProjects(tx);
}

const asNewDeveloper = (name: string): Resolution => ({ kind: "new", name: tidyName(name) });

/** Decides whether a name without a known developer is a company or a project shell, by the requests filed under all its spellings. */
function decideShell(resolution: Resolution, name: string, group: NameGroup): Resolution {
	if (resolution.kind !== "new" && resolution.kind !== "shell") return resolution;
	if (isProjectShell(name, group)) return { kind: "shell", family: projectFamily(name) };
	return resolution.kind === "new" ? resolution : asNewDeveloper(name);
}

async function writeLinks(tx: Transaction, rows: ReturnType<typeof toLinkRow>[]): Promise<void> {
	if (rows.length === 0) return;
	await tx`
		insert into developer_links as l (raw_name, full_key, outcome, developer_id, method, confidence, matched_text, is_shell, family,
			candidates, reason)
		select raw_name, full_key, outcome, developer_id, method, confidence, matched_text, is_shell, family, candidates, reason
		from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as t (raw_name text, full_key text, outcome text,
			developer_id integer, method text, confidence float8, matched_text text, is_shell boolean, family text, candidates jsonb,
			reason text)
		on conflict (raw_name) do update set outcome = excluded.outcome, developer_id = excluded.developer_id,
			method = excluded.method, confidence = excluded.confidence, matched_text = excluded.matched_text,
			is_shell = excluded.is_shell, family = excluded.family, linked_at = now()`;
}

interface ResolvedName {
	name: string;
	resolution: Resolution;
}

/** Adds the companies that no register contains. @returns their ids by full key */
export async function addDevelopers(tx: Transaction, names: readonly ResolvedName[]): Promise<Map<string, number>> {
	const byKey = new Map<string, string>();
	for (const { name, resolution } of names) {
		const key = normaliseName(name).fullKey;
		if (resolution.kind === "new" && !byKey.has(key)) byKey.set(key, resolution.name);
	}
	if (byKey.size === 0) return new Map();
	const keys = [...byKey.keys()];
	await tx`
		insert into developers (canonical_name, full_key, tier, known, portfolio)
		select name, key, 'unknown', false, (select portfolio from portfolios_of(array[null]::integer[]))
		from unnest(${keys}::text[], ${[...byKey.values()]}::text[]) as t (key, name)
		order by key on conflict do nothing`;
	const rows = await tx<{ developer_id: number; full_key: string }[]>`
		select developer_id, full_key from developers where full_key = any(${keys}::text[])`;
	return new Map(rows.map((row) => [row.full_key, row.developer_id]));
}

function toLinkRow(raw_name: string, resolution: Resolution, idsByKey: ReadonlyMap<string, number>) {
	const full_key = normaliseName(raw_name).fullKey;
	const shell = {
		is_shell: "isShell" in resolution && resolution.isShell,
		family: "family" in resolution ? resolution.family : null,
	};
	const name = { raw_name, full_key, outcome: resolution.kind, ...shell };
	switch (resolution.kind) {
		case "matched": {
			const { developerId, method, confidence, matchedText } = resolution;
			return { ...name, developer_id: developerId, method, confidence, matched_text: matchedText };
		}
		case "new": {
			const id = idsByKey.get(full_key);
			if (id === undefined)
				return { ...name, outcome: "none", reason: "the name already belongs to another developer" };
			return { ...name, developer_id: id, method: "developer_exact", confidence: 1, matched_text: resolution.name };
		}
		case "review": {
			const candidates = resolution.candidates.map(({ developerId, canonical, jaroWinkler, trigram }) => ({
				...{ developer_id: developerId, canonical_name: canonical, jaro_winkler: jaroWinkler, trigram },
			}));
			return { ...name, candidates, reason: resolution.reason };
		}
		case "shell":
			return { ...name, is_shell: true };
		case "none":
			return { ...name, reason: resolution.reason };
	}
}

async function applyNameCorrections(tx: Transaction): Promise<void> {
	await tx`
		update developer_links l set outcome = case when c.developer_id is null then 'none' else 'matched' end,
			developer_id = c.developer_id, method = 'correction', confidence = 1, matched_text = d.canonical_name, candidates = null,
			reason = correction_text(c), linked_at = now()
		from corrections c left join developers d using (developer_id)
		where c.about = 'name' and c.ended_at is null and c.full_key = l.full_key
			and (l.developer_id, l.method, l.reason) is distinct from (c.developer_id, 'correction', correction_text(c))`;
}

async function readNameCorrections(tx: Transaction): Promise<Map<string, number | null>> {
	const rows = await tx<{ key: string; id: number | null }[]>`
		select full_key as key, developer_id as id from corrections where about = 'name' and ended_at is null`;
	return new Map(rows.map(({ key, id }) => [key, id]));
}

export async function resolveOwners(tx: Transaction, names: string[]): Promise<OwnerName[]> {
	const resolver = await loadResolver(tx);
	const rows = await tx<{ id: number; canonical: string; parent: string | null }[]>`
		select developer_id as id, canonical_name as canonical, parent_company as parent from developers where known`;
	const known = new Map(rows.map((row) => [row.id, row]));
	const corrected = await readNameCorrections(tx);
	return names.flatMap((name) => {
		const key = normaliseName(name).fullKey;
		const resolution = resolver.resolve(name);
		const resolvedId = resolution.kind === "matched" ? resolution.developerId : null;
		const developer = known.get((corrected.has(key) ? corrected.get(key) : resolvedId) ?? 0);
		return developer === undefined ? [] : [{ name, canonical: developer.canonical, parent: developer.parent }];
	});
}
