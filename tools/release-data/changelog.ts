/** Compares the requests of two releases: every difference as a row of CSV, and counts and the largest requests in Markdown. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { formulaStart } from "#libs/contract/exports/formulas.ts";
import { projectColumns } from "#libs/contract/operations/projects/project-columns.ts";
import { listFields } from "#libs/contract/records/project.ts";
import { literal } from "#libs/parquet/quote.ts";
import { table } from "./documents.ts";
import { withDuckDb } from "./files.ts";

const kinds = {
	added: "in this release only",
	withdrawn: "the status became Withdrawn",
	changed: "a filed or standardized value differs",
	removed: "in the earlier release only: the request was merged into another, or its list was withdrawn",
} as const;

/** Values of requests that are compared. Scores have versions and a log of their own. */
const compared = new Set<string>([...listFields, "listed"]);

/** Requests of a kind that the Markdown names, the largest first. */
const mostNamed = 20;

/** Writes `changelog.csv` and `CHANGELOG.md` into the folder of the release. */
export const writeChangelog = (folder: string, earlier: string, versions: { earlier: string; current: string }) =>
	withDuckDb(async (connection) => {
		await compare(connection, join(earlier, "projects.parquet"), join(folder, "projects.parquet"));
		await connection.run(
			`copy (select kind, id, region, ${safe("name")} as name, field, ${safe("before")} as before, ${safe("after")} as after
				from differences order by kind, id, field)
			to ${literal(join(folder, "changelog.csv"))} (format csv, header)`,
		);
		await writeFile(join(folder, "CHANGELOG.md"), await summary(connection, versions));
	});

/** Puts an apostrophe before a text that a spreadsheet would run as a formula, and not before a number, as `safe=1` of exports does. */
const safe = (column: string) =>
	`case when try_cast(${column} as double) is null then regexp_replace(${column}, '^(${formulaStart})', '''\\1') else ${column} end`;

/** Makes the table `differences`: a row for each value that differs, and one for each request that is only in one release. */
async function compare(connection: DuckDBConnection, before: string, after: string): Promise<void> {
	await connection.run(`create view old as from read_parquet(${literal(before)})`);
	await connection.run(`create view new as from read_parquet(${literal(after)})`);
	const known = await connection.runAndReadAll("select column_name from (describe old)");
	const inBoth = new Set(known.getRows().map(([name]) => name));
	// A column that only one release has is a change of the service, not of a request.
	const fields = projectColumns().flatMap(({ name }) => (compared.has(name) && inBoth.has(name) ? [name] : []));
	const kind = `case when n.status_std = 'Withdrawn' and o.status_std is distinct from 'Withdrawn' then 'withdrawn' else 'changed' end`;
	const values = fields.map(
		(field) => `select ${kind} as kind, n.id, n.region, n.name, n.capacity_mw, '${field}' as field,
			o.${field}::varchar as before, n.${field}::varchar as after
			from new n join old o using (id) where n.${field} is distinct from o.${field}`,
	);
	const only = (kind: keyof typeof kinds, here: string, other: string) =>
		`select '${kind}', id, region, name, capacity_mw, null, null, null from ${here} where id not in (select id from ${other})`;
	const parts = [...values, only("added", "new", "old"), only("removed", "old", "new")];
	await connection.run(`create table differences as ${parts.join(" union all ")}`);
}

async function summary(
	connection: DuckDBConnection,
	{ earlier, current }: { earlier: string; current: string },
): Promise<string> {
	const names = Object.keys(kinds) as (keyof typeof kinds)[];
	const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
	const count = (kind: string) => `count(distinct id) filter (kind = '${kind}') as ${kind}`;
	const counts = await read(
		`select coalesce(region, 'all') as operator, ${names.map(count).join(", ")} from differences
			group by grouping sets ((region), ()) order by region nulls last`,
	);
	const sections = [
		`# Changes from ${earlier} to ${current}`,
		"Requests, by operator. `changelog.csv` has every one, with each value before and after.",
		table(["Operator", ...names], counts),
		names.map((kind) => `- ${kind}: ${kinds[kind]}`).join("\n"),
	];
	for (const kind of ["added", "withdrawn"] as const) {
		const largest = await read(
			`select distinct id, region, name, capacity_mw from differences where kind = '${kind}'
				order by capacity_mw desc nulls last, id limit ${mostNamed}`,
		);
		if (largest.length > 0)
			sections.push(`## The largest ${kind} requests`, table(["Request", "Operator", "Name", "MW"], largest));
	}
	return `${sections.join("\n\n")}\n`;
}
