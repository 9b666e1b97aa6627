/**
 * Invariants after a fault, by SQL over all schemas: the queue equals the model of the lists, its history has no gap and nothing twice,
 * every copy is up to date, nothing waits, and every answer is in the ledger once.
 */
import type { Sql } from "#libs/postgres/connect.ts";
import { isForetold, type Model } from "../queue-model.ts";
import type { Answer } from "./load.ts";

/** A sentence for each thing that is missing, and for each that is there twice. */
export interface Findings {
	lost: string[];
	doubled: string[];
	/** Checked changes of the queue, and checked answers. */
	changes: number;
	answers: number;
}

export interface Expected {
	model: Model;
	answers: readonly Answer[];
	/** Answers that the ledger need not have: those of a gateway that was killed. */
	mayMiss?: (answer: Answer) => boolean;
}

export async function lookInto(sql: Sql, { model, answers, mayMiss = () => false }: Expected): Promise<Findings> {
	const found: Findings = { lost: [], doubled: [], changes: model.changes.length, answers: 0 };
	await compareQueue(sql, model, found);
	await compareChanges(sql, model, found);
	for (const [sentence, count] of Object.entries(await countOf(sql, historyFaults)))
		if (count > 0) found.doubled.push(`${count} ${sentence}`);
	for (const [sentence, count] of Object.entries(await countOf(sql, copyFaults)))
		if (count > 0) found.lost.push(`${count} ${sentence}`);
	await compareLedger(sql, answers, mayMiss, found);
	return found;
}

async function compareQueue(sql: Sql, model: Model, found: Findings): Promise<void> {
	const rows = await sql<{ line: string }[]>`
		select concat_ws('|', id, status, capacity_mw, cod, version) as line from queue_ingest.projects where feed = ${model.feed}`;
	const expected = [...model.projects].map(([id, { row, version }]) =>
		[id, model.word(row), row.mw, row.cod, version].join("|"),
	);
	compare(
		"requests of the queue",
		expected,
		rows.map(({ line }) => line),
		found,
	);
}

async function compareChanges(sql: Sql, model: Model, found: Findings): Promise<void> {
	const rows = await sql<{ line: string }[]>`
		select concat_ws(' | ', project_id, queue_ingest.iso(detected_at), change_type, coalesce(field_name, ''),
			coalesce(old_value, ''), coalesce(new_value, '')) as line
		from queue_ingest.changes where feed = ${model.feed} and ${isForetold(sql)}`;
	compare(
		"changes",
		model.changes,
		rows.map(({ line }) => line),
		found,
	);
}

/** Both are lines in any order; a line can stand there more than once. */
function compare(what: string, expected: readonly string[], stored: readonly string[], found: Findings): void {
	const balance = new Map<string, number>();
	for (const line of expected) balance.set(line, (balance.get(line) ?? 0) + 1);
	for (const line of stored) balance.set(line, (balance.get(line) ?? 0) - 1);
	const off = [...balance].filter(([, count]) => count !== 0);
	const missing = off.filter(([, count]) => count > 0);
	const extra = off.filter(([, count]) => count < 0);
	if (missing.length > 0) found.lost.push(`${missing.length} ${what}, such as ${missing[0]?.[0]}`);
	if (extra.length > 0) found.doubled.push(`${extra.length} ${what}, such as ${extra[0]?.[0]}`);
}

type Counts = Record<string, number>;

async function countOf(sql: Sql, statements: Record<string, string>): Promise<Counts> {
	const columns = Object.entries(statements).map(
		([name, text]) => `(select count(*)::integer from (${text}) t) as "${name}"`,
	);
	const [row] = await sql.unsafe<Counts[]>(`select ${columns.join(", ")}`);
	return { ...row };
}

const historyFaults = {
	"numbers of changes that are not 1, 2, 3...": `
		select from (select seq, row_number() over (order by seq) as nth from queue_ingest.changes) c where seq <> nth`,
	"changes published twice": `
		select from queue_ingest.changes group by project_id, detected_at, field_name, change_type having count(*) > 1`,
	"versions that do not begin where the one before ends": `
		select from (select version, valid_from, valid_to, row_number() over w as nth, lead(valid_from) over w as next_from
			from queue_ingest.project_versions window w as (partition by project_id order by version)) v
		where version <> nth or valid_to is distinct from next_from or valid_to < valid_from`,
	"requests whose newest version is not the one that is served": `
		select from queue_ingest.projects p left join queue_ingest.project_versions v
			on v.project_id = p.id and v.version = p.version and v.valid_to is null
		where v.version is null`,
	"hours whose sums are not those of the ledger": `
		select from (select account_id, date_trunc('hour', occurred_at) as hour, operation,
				count(*) as requests, count(*) filter (where counted) as counted from billing.usage where account_id is not null group by 1, 2, 3) u
			full join (select * from billing.usage_hours where account_id <> 0) h using (account_id, hour, operation)
		where (u.requests, u.counted) is distinct from (h.requests, h.counted)`,
};

const published = "known or version > 1";
const copyFaults = {
	"events in outboxes": ["queue_ingest", "signals", "scoring", "billing"]
		.map((schema) => `select event_id from ${schema}.outbox`)
		.join(" union all "),
	"dead letters": ["queue_ingest", "signals", "scoring", "billing"]
		.map((schema) => `select subject from ${schema}.dead_letters`)
		.join(" union all "),
	"requests of which scoring has not the newest": `
		select from queue_ingest.projects p full join scoring.projects c on c.project_id = p.id
		where (p.version, p.status_std, p.capacity_mw, p.cod, p.type_std, p.state)
			is distinct from (c.version, c.status_std, c.capacity_mw, c.cod, c.type_std, c.state)`,
	"requests of which signals has not the newest": `
		select from queue_ingest.projects p full join signals.projects c on c.project_id = p.id
		where (p.version, p.name, p.kind) is distinct from (c.version, c.name, c.kind)`,
	"developers of which scoring has not the newest": `
		select from (select * from queue_ingest.developers where ${published}) d full join scoring.developers c using (developer_id)
		where (d.version, d.canonical_name) is distinct from (c.version, c.canonical_name)`,
	"developers of which signals has not the newest": `
		select from (select * from queue_ingest.developers where ${published}) d full join signals.developers c using (developer_id)
		where (d.version, d.canonical_name) is distinct from (c.version, c.canonical_name)`,
	"requests still to be scored": "select from scoring.project_recompute_queue",
	"developers still to be rated": "select from scoring.developer_recompute_queue",
	"open requests without a score": `
		select from scoring.projects p where open and not exists (select from scoring.scores s where s.project_id = p.project_id)`,
	"requests beside which the queue has not the newest score": `
		select from scoring.published_scores t full join (select * from queue_ingest.projects where score_seen > 0) p on p.id = t.project_id
		where (t.version, (t.payload ->> 'investability_score')::integer, (t.payload ->> 'investable')::boolean)
			is distinct from (p.score_seen, p.investability_score, p.investable)`,
	"texts still to be matched":
		"select from signals.matching m, signals.names n where m.names_version < n.version or m.after_key is not null",
};

async function compareLedger(
	sql: Sql,
	answers: readonly Answer[],
	mayMiss: (answer: Answer) => boolean,
	found: Findings,
): Promise<void> {
	const good = answers.filter(({ status, id }) => status === 200 && id !== null);
	found.answers = good.length;
	// Without a key a request has no row of its own.
	const ids = good.filter((answer) => answer.kind.key !== undefined && !mayMiss(answer)).map(({ id }) => id ?? "");
	const [row] = await sql<{ missing: number }[]>`
		select count(*)::integer as missing from unnest(${ids}::text[]) as id
		where not exists (select from billing.usage u where u.event_id = id)`;
	if (row !== undefined && row.missing > 0) found.lost.push(`${row.missing} answers that are not in the ledger`);
}
