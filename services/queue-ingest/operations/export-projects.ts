import type { Handler } from "#libs/contract/index.ts";
import { project } from "#libs/contract/operations/project.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { containing } from "./project-filters.ts";

const columns = Object.keys(project.shape);
/** Written out as the JSON shows them: moments in UTC with a Z. */
const shaped = new Map([
	["first_seen_at", "iso(first_seen_at) as first_seen_at"],
	["last_changed_at", "iso(last_changed_at) as last_changed_at"],
	["missing_since", "iso(missing_since) as missing_since"],
	["counties", "array_to_string(counties, '; ') as counties"],
]);

/** COPY writes the CSV; its chunks go on as they come, so that memory does not grow with the table. */
export function exportProjects(sql: Sql): Handler<"exportProjects"> {
	return async function* ({ state, type, limit }, { signal }) {
		await using connection = await reserve(sql);
		const conditions = ["kind = 'generation'"];
		if (state !== undefined) conditions.push(`state = ${literal(state)}`);
		if (type !== undefined) conditions.push(`type_std ilike ${literal(containing(type))}`);
		const select = `select ${columns.map((name) => shaped.get(name) ?? name).join(", ")} from projects
			where ${conditions.join(" and ")} order by id ${limit === undefined ? "" : `limit ${limit}`}`;
		// COPY takes no parameters: values are quoted as SQL literals, which standard_conforming_strings makes exact.
		const stream = await connection.sql.unsafe(`copy (${select}) to stdout with (format csv, header true)`).readable();
		const stop = () => stream.destroy();
		signal.addEventListener("abort", stop, { once: true });
		try {
			for await (const chunk of stream) yield chunk as Uint8Array;
		} finally {
			signal.removeEventListener("abort", stop);
			stream.destroy();
		}
	};
}

function literal(value: string): string {
	return `'${value.replaceAll("'", "''")}'`;
}

async function reserve(sql: Sql): Promise<AsyncDisposable & { sql: Sql }> {
	const reserved = await sql.reserve();
	await reserved`set statement_timeout = 0`;
	return {
		sql: reserved,
		[Symbol.asyncDispose]: async () => {
			await reserved`reset statement_timeout`;
			reserved.release();
		},
	};
}
