import type { Handler, Reply } from "#libs/contract/index.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import { trigramSimilarity } from "#libs/names/similarity.ts";
import type { Sql } from "#libs/postgres/connect.ts";

/** Below this share of common trigrams two names have nothing to do with each other (pg_trgm's default). */
const leastScore = 0.3;

interface Candidate {
	developer_id: number;
	canonical_name: string;
	aliases: string[];
	project_count: number;
	keys: string[];
}

/**
 * 1 for a name itself, 0.9 for one that begins with the text, 0.8 for one that contains it as whole words; a misspelt one by the
 * share of trigrams that both have.
 */
export function searchDevelopers(sql: Sql): Handler<"searchDevelopers"> {
	let kept: { version: number; candidates: Candidate[] } | undefined;
	return async ({ q, limit }) => {
		const [row] = await sql<{ version: number }[]>`select version from data_version`;
		const version = row?.version ?? 0;
		if (kept?.version !== version) kept = { version, candidates: await candidates(sql) };
		const wanted = normaliseName(q).fullKey || q.toLowerCase();
		const results = kept.candidates
			.map((candidate) => ({ candidate, score: Math.max(...candidate.keys.map((key) => scoreOf(wanted, key))) }))
			.filter(({ score }) => score >= leastScore)
			.sort((a, b) => b.score - a.score || b.candidate.project_count - a.candidate.project_count)
			.slice(0, limit)
			.map(({ candidate: { keys: _, ...shown }, score }) => ({ ...shown, score: Math.round(score * 1000) / 1000 }));
		const reply: Reply<"searchDevelopers"> = { query: q, results };
		return { json: JSON.stringify(reply), dataVersion: version };
	};
}

async function candidates(sql: Sql): Promise<Candidate[]> {
	const rows = await sql<Omit<Candidate, "keys">[]>`
		select developer_id, canonical_name, total_projects as project_count,
			array(select alias from developer_aliases a where a.developer_id = d.developer_id order by alias) as aliases
		from listed_developers d order by developer_id`;
	return rows.map((row) => ({
		...row,
		keys: [row.canonical_name, ...row.aliases].map((name) => normaliseName(name).fullKey || name.toLowerCase()),
	}));
}

function scoreOf(wanted: string, key: string): number {
	if (key === wanted) return 1;
	const found = key.startsWith(wanted) ? 0.9 : ` ${key} `.includes(` ${wanted} `) ? 0.8 : 0;
	return Math.max(found, trigramSimilarity(wanted, key) * 0.95);
}
