import { notFound, tooManyRequests } from "#libs/contract/errors.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { resolveDeveloper } from "../developers/operations/get-developer.ts";
import { resolveProject } from "../queues/operations/get-project.ts";
import type { Resources } from "../resources.ts";
import { showDispute } from "./get-dispute.ts";

/** Of an account or an address, in a day. */
const mostADay = 20;
/** Of all: beyond what people can look at. */
const mostOpen = 5_000;

/**
 * The data version stays: a dispute changes nothing that is served.
 * @throws AppError 404 where what it is about does not exist, 429 beyond the limits
 */
export function recordDispute({ sql, now }: Resources): Handler<"recordDispute"> {
	return async (given) => {
		const subject = await subjectOf(sql, given);
		const id = await sql.begin(async (tx) => {
			await makeRoom(tx, given.filer, now());
			const { about, proposed = null, reason, evidence_url, filer } = given;
			const [row] = await tx<{ id: number }[]>`
				insert into disputes ${tx({ ...subject, about, proposed, reason, evidence_url, filer, opened_at: now() })}
				returning dispute_id as id`;
			return row?.id ?? 0;
		});
		return showDispute(sql, id);
	};
}

type Given = Params<"recordDispute">;

async function subjectOf(sql: Sql, { about, project_id, field, developer_id, identifier }: Given) {
	const none = { project_id: null, field: null, developer_id: null, scheme: null, value: null, stated: null };
	if (developer_id !== undefined) {
		const developer = await resolveDeveloper(sql, developer_id);
		const [scheme = null, value = null] = identifier?.split(":") ?? [];
		if (identifier !== undefined) {
			const found = await sql`
				select from developer_identifiers where developer_id = ${developer} and scheme = ${scheme} and lower(value) = ${value}`;
			if (found.count === 0) throw notFound(`${developer_id} has no identifier ${identifier}`);
		}
		return { ...none, developer_id: developer, scheme, value, stated: identifier ?? null };
	}
	const id = await resolveProject(sql, project_id ?? "");
	const column = about === "project_field" ? (field ?? "") : "developer_canonical";
	const [row] = await sql<{ stated: string | null; plants: number }[]>`
		select body::jsonb ->> ${column} as stated, (select count(*) from project_plants l where l.project_id = p.id) as plants
		from projects p where id = ${id}`;
	if (about === "ownership" && row?.plants === 0)
		throw notFound(`no plant is known of ${id}, whose owners could be wrong`);
	return {
		...none,
		project_id: id,
		field: about === "project_field" ? (field ?? null) : null,
		stated: about === "ownership" ? null : (row?.stated?.slice(0, 1_000) ?? null),
	};
}

async function makeRoom(tx: Transaction, filer: string, at: Date): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtext('disputes'))`;
	const [row] = await tx<{ own: number; open: number; wait: number }[]>`
		select (select count(*) from disputes where filer = ${filer} and opened_at > ${at}::timestamptz - interval '1 day') as own,
			(select count(*) from disputes where state = 'open') as open,
			(select coalesce(ceil(extract(epoch from min(opened_at) + interval '1 day' - ${at}::timestamptz)), 1)::integer from disputes
				where filer = ${filer} and opened_at > ${at}::timestamptz - interval '1 day') as wait`;
	if ((row?.own ?? 0) >= mostADay)
		throw tooManyRequests(`${mostADay} disputes a day are the limit`, Math.max(1, row?.wait ?? 1));
	if ((row?.open ?? 0) >= mostOpen) throw tooManyRequests("more disputes are open than can be looked at", 86_400);
}
