/** Formats disputes, name reviews and corrections for a terminal, without control characters and line breaks from third parties' texts. */
import type { Sql } from "#libs/postgres/connect.ts";
import { UserError } from "#libs/service/program.ts";

/** Maximum disputes, and maximum names, in a listing. */
const maxListed = 50;

/** Returns the text as one line of at most `length` characters, without control, format or bidirectional marks. */
export function toPlainLine(text: string | null, length = 300): string {
	const line = (text ?? "-").replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").replaceAll(/ +/g, " ");
	return line.length > length ? `${line.slice(0, length - 3)}...` : line;
}

export async function formatDisputes(sql: Sql, id?: number): Promise<string[]> {
	const rows = await sql<Record<string, string | null>[]>`
		select d.dispute_id::text as id, d.state, d.about, to_char(d.opened_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as opened, d.project_id as project,
			d.field, d.stated, d.proposed, d.reason, d.evidence_url as evidence, d.scheme || ':' || d.value as identifier,
			o.canonical_name as developer, p.developer as filed, p.developer_canonical as served,
			coalesce(correction_text(c), l.reason, l.method || ': ' || l.matched_text, b.method || ': ' || b.evidence) as because,
			d.settled_by as author, d.decision,
			(select string_agg(i.scheme || ':' || i.value || ' (' || i.evidence || ')', '; ' order by i.scheme, i.value)
				from developer_identifiers i where i.developer_id = d.developer_id) as identifiers
		from disputes d left join projects p on p.id = d.project_id left join developers o on o.developer_id = d.developer_id
			left join developer_links l on l.raw_name = p.developer left join project_developers b on b.project_id = p.id
			left join corrections c on c.project_id = p.id and c.about = 'request' and c.ended_at is null
		where ${id === undefined ? sql`d.state = 'open'` : sql`d.dispute_id = ${id}`}
		order by d.opened_at, d.dispute_id limit ${maxListed}`;
	return rows.flatMap((row) => [
		`#${row.id} ${row.state}, ${row.about}, since ${row.opened}`,
		...(
			[
				["request", row.project, 100],
				["field", row.field, 100],
				["filed", row.project === null ? null : (row.filed ?? null), 200],
				["developer", row.project === null ? (row.developer ?? null) : (row.served ?? null), 200],
				["because", row.because, 400],
				["numbers", row.identifiers, 1_000],
				["stated", row.identifier ?? row.stated, 300],
				["proposed", row.proposed, 200],
				["why", row.reason, 2_000],
				["evidence", row.evidence, 500],
				["decision", row.decision === null ? null : `${row.decision} (${row.author})`, 500],
			] as const
		).flatMap(([label, text, length]) => (text == null ? [] : [`    ${label.padEnd(10)}${toPlainLine(text, length)}`])),
	]);
}

export async function formatNameReviews(sql: Sql): Promise<string[]> {
	const rows = await sql<
		{ name: string; reason: string | null; requests: number; candidates: { canonical_name: string }[] | null }[]
	>`
		select raw_name as name, reason, candidates, (select count(*) from projects p where p.developer = l.raw_name) as requests
		from developer_links l where outcome = 'review' order by 4 desc, raw_name limit ${maxListed}`;
	return rows.flatMap(({ name, reason, requests, candidates }) => [
		`"${toPlainLine(name)}", ${requests} ${requests === 1 ? "request" : "requests"}: ${toPlainLine(reason)}`,
		...(candidates ?? []).slice(0, 5).map((one) => `    perhaps ${toPlainLine(one.canonical_name)}`),
	]);
}

export async function formatCorrections(sql: Sql): Promise<string[]> {
	const rows = await sql<Record<string, string | null>[]>`
		select correction_id::text as id, coalesce(project_id, raw_name, scheme || ':' || value) as what, about,
			coalesce((select canonical_name from developers d where d.developer_id = c.developer_id), 'none') as developer,
			correction_text(c) as text
		from corrections c where ended_at is null order by made_at desc, correction_id desc limit 200`;
	return rows.map(
		(row) =>
			`${row.id} ${row.about} ${toPlainLine(row.what ?? "")}: ${toPlainLine(row.developer ?? "")}; ${toPlainLine(row.text ?? "", 500)}`,
	);
}

/** Parses the number that an option gives. @throws UserError */
export function parseNumber(name: string, value: string): number {
	if (!/^[1-9]\d{0,8}$/.test(value))
		throw new UserError(`--${name}: "${value}" is not a whole number from 1 to 999999999`);
	return Number(value);
}

/** Returns the trimmed value of an option. @throws UserError if it is missing, too long or not one line */
export function requireLine(name: string, value: string | undefined, maxLength: number): string {
	const trimmed = value?.trim() ?? "";
	if (trimmed === "" || trimmed.length > maxLength || /\p{Cc}/u.test(trimmed))
		throw new UserError(`--${name} must be one line of 1 to ${maxLength} characters`);
	return trimmed;
}
