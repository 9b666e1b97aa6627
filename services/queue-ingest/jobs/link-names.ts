/** Finds out whose name each filed developer name is, once a name, and stores the answer with its evidence. */
import { normaliseName, projectFamily } from "#libs/names/normalise.ts";
import { createResolver, type KnownDeveloper, type Resolution, type Resolver } from "#libs/names/resolve.ts";
import type { Transaction } from "#libs/postgres/connect.ts";

/** The resolver of the edition that this process met last: building it takes longer than most lists need it. */
let kept: { sha256: string; resolver: Resolver } | undefined;

/** The resolver of the curated register as the tables hold it. */
export async function loadResolver(tx: Transaction): Promise<Resolver> {
	const [edition] = await tx<{ sha256: string }[]>`select sha256 from register_edition`;
	if (kept !== undefined && kept.sha256 === edition?.sha256) return kept.resolver;
	const known = await tx<KnownDeveloper[]>`
		select d.developer_id as id, d.canonical_name as canonical, d.ambiguous, d.prefixes,
			coalesce((select json_agg(json_build_object('alias', a.alias, 'ambiguous', a.ambiguous) order by a.alias)
				from developer_aliases a where a.developer_id = d.developer_id), '[]') as aliases
		from developers d where d.known order by d.developer_id`;
	const resolver = createResolver(known);
	if (edition !== undefined) kept = { sha256: edition.sha256, resolver };
	return resolver;
}

/**
 * Links the names that no link says anything of yet; needs the schema-wide write lock. A company that nobody knows becomes a
 * developer of tier `unknown`, once for all spellings of its name; a project's shell company becomes none.
 */
export async function linkNames(tx: Transaction, filed: readonly FiledName[]): Promise<void> {
	const linked = await tx<{ raw_name: string }[]>`
		select raw_name from developer_links where raw_name = any(${filed.map(({ name }) => name)}::text[])`;
	const known = new Set(linked.map((row) => row.raw_name));
	const fresh = filed.filter(({ name }) => !known.has(name));
	if (fresh.length === 0) return;
	const resolver = await loadResolver(tx);
	const resolutions = fresh.map((name) => ({ name: name.name, found: resolveFiled(resolver, name) }));
	const named = await addDevelopers(tx, resolutions);
	const rows = resolutions.map(({ name, found }) => linkRow(name, found, named));
	await tx`
		insert into developer_links (raw_name, outcome, developer_id, method, confidence, matched_text, is_shell, family,
			candidates, reason)
		select raw_name, outcome, developer_id, method, confidence, matched_text, is_shell, family, candidates, reason
		from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as t (raw_name text, outcome text, developer_id integer,
			method text, confidence float8, matched_text text, is_shell boolean, family text, candidates jsonb, reason text)`;
}

export interface FiledName {
	name: string;
	/** What the requests filed under it are called. */
	projects: string[];
}

/** A company that nobody knows and that is called as its only project is that project's shell, whatever words it has. */
function resolveFiled(resolver: Resolver, { name, projects }: FiledName): Resolution {
	const found = resolver.resolve(name);
	if (found.kind !== "new") return found;
	const family = projectFamily(name);
	const isNamesake = projects.length > 0 && projects.every((project) => projectFamily(project) === family);
	return isNamesake ? { kind: "shell", family } : found;
}

interface Named {
	name: string;
	found: Resolution;
}

/** Ids of the companies that only queues name, by full key; new ones are added. */
async function addDevelopers(tx: Transaction, resolutions: readonly Named[]): Promise<Map<string, number>> {
	const byKey = new Map<string, string>();
	for (const { name, found } of resolutions) {
		const key = normaliseName(name).fullKey;
		if (found.kind === "new" && !byKey.has(key)) byKey.set(key, found.name);
	}
	if (byKey.size === 0) return new Map();
	const keys = [...byKey.keys()];
	await tx`
		insert into developers (canonical_name, full_key, tier, known, portfolio)
		select name, key, 'unknown', false, portfolio_of(null)
		from unnest(${keys}::text[], ${[...byKey.values()]}::text[]) as t (key, name)
		order by key on conflict do nothing`;
	const rows = await tx<{ developer_id: number; full_key: string }[]>`
		select developer_id, full_key from developers where full_key = any(${keys}::text[])`;
	return new Map(rows.map((row) => [row.full_key, row.developer_id]));
}

function linkRow(name: string, found: Resolution, named: ReadonlyMap<string, number>) {
	const shell =
		"isShell" in found ? { is_shell: found.isShell, family: found.family } : { is_shell: false, family: null };
	switch (found.kind) {
		case "matched": {
			const { developerId, method, confidence, matchedText } = found;
			const link = { developer_id: developerId, method, confidence, matched_text: matchedText };
			return { raw_name: name, outcome: "matched", ...link, ...shell };
		}
		case "new": {
			const id = named.get(normaliseName(name).fullKey);
			if (id === undefined)
				return { raw_name: name, outcome: "none", ...shell, reason: "the name is another's already" };
			const link = { developer_id: id, method: "developer_exact", confidence: 1, matched_text: found.name };
			return { raw_name: name, outcome: "new", ...link, ...shell };
		}
		case "review": {
			const candidates = found.candidates.map(({ developerId, canonical, jaroWinkler, trigram }) => ({
				developer_id: developerId,
				canonical_name: canonical,
				jaro_winkler: jaroWinkler,
				trigram,
			}));
			return { raw_name: name, outcome: "review", ...shell, candidates, reason: found.reason };
		}
		case "shell":
			return { raw_name: name, outcome: "shell", is_shell: true, family: found.family };
		case "none":
			return { raw_name: name, outcome: "none", ...shell, reason: found.reason };
	}
}
