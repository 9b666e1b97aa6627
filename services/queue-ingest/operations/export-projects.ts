import type { Handler, Params } from "#libs/contract/index.ts";
import { project } from "#libs/contract/operations/project.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { disposableSession } from "#libs/postgres/session.ts";
import { containing } from "./project-filters.ts";

const columns = Object.keys(project.shape);
/** Written out as the JSON shows them: moments in UTC with a Z. */
const shaped = new Map([
	["first_seen_at", "iso(first_seen_at) as first_seen_at"],
	["last_changed_at", "iso(last_changed_at) as last_changed_at"],
	["missing_since", "iso(missing_since) as missing_since"],
	["counties", "array_to_string(counties, '; ') as counties"],
]);

/**
 * COPY writes the CSV; its chunks go on as they come, so that memory does not grow with the table. On a session of its own, which
 * goes with the reader: a COPY that is broken off cannot be told to stop on its connection.
 */
export function exportProjects(sql: Sql): Handler<"exportProjects"> {
	return async function* (params, { signal }) {
		await using session = await disposableSession(sql);
		await session.sql`set statement_timeout = 0`;
		const copy = `copy (${exportSelect(params)}) to stdout with (format csv, header true)`;
		const stream = await session.sql.unsafe(copy).readable();
		let whole = false;
		const stop = () => stream.destroy();
		signal.addEventListener("abort", stop, { once: true });
		try {
			for await (const chunk of stream) yield chunk as Uint8Array;
			whole = true;
		} finally {
			signal.removeEventListener("abort", stop);
			if (!whole) await session.cut();
		}
	};
}

/** COPY takes no parameters: values are quoted as SQL literals, which standard_conforming_strings makes exact. */
export function exportSelect({ state, type, limit }: Params<"exportProjects">): string {
	const conditions = ["kind = 'generation'"];
	if (state !== undefined) conditions.push(`state = ${literal(state)}`);
	if (type !== undefined) conditions.push(`type_std ilike ${literal(containing(type))}`);
	return `select ${columns.map((name) => shaped.get(name) ?? name).join(", ")} from projects
		where ${conditions.join(" and ")} order by id ${limit === undefined ? "" : `limit ${limit}`}`;
}

function literal(value: string): string {
	return `'${value.replaceAll("'", "''")}'`;
}
