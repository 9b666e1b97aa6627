import { notFound, tooManyRequests } from "#libs/contract/errors.ts";
import type { Handler, Params, Reply, Versioned } from "#libs/contract/index.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { jsonReply } from "#libs/postgres/replies/reply.ts";
import { resolveDeveloper } from "../../developers/operations/get-developer.ts";
import { getProjectOn, resolveProjectId } from "../../queues/operations/get-project.ts";
import type { Resources } from "../../resources.ts";

/** Maximum disputes a day of an account or an address. */
const maxPerDay = 20;
/**
 * Maximum open disputes of all sources, more than people can review. Beyond it, the oldest dispute of the source with the most open disputes is
 * closed, so that no source can block the others.
 */
export const maxOpen = 5_000;

/**
 * Does not raise the data version, because a dispute changes no served data. @throws AppError 404 if the disputed record does not exist, 429
 * beyond the limits
 */
export function recordDispute(resources: Resources): Handler<"recordDispute"> {
	const { sql, now } = resources;
	return async (params) => {
		const { as_of } = params;
		const subject = await (as_of === undefined
			? readSubject(sql, params)
			: readPastSubject(resources, { ...params, as_of }));
		const id = await sql.begin(async (tx) => {
			await checkLimits(tx, params.filer, now());
			const { about, proposed = null, reason, evidence_url, filer } = params;
			const [row] = await tx<{ id: number }[]>`
				insert into disputes ${tx({ ...subject, about, proposed, reason, evidence_url, filer, opened_at: now() })}
				returning dispute_id as id`;
			return row?.id ?? 0;
		});
		return showDispute(sql, id);
	};
}

type DisputeParams = Params<"recordDispute">;

const emptySubject = { project_id: null, field: null, developer_id: null, scheme: null, value: null, stated: null };
const maxStatedLength = 1_000;

const columnOf = ({ about, field }: DisputeParams): string =>
	about === "project_field" ? (field ?? "") : "developer_canonical";

/** Reads the disputed value of a past day as `/projects/{id}?as_of=` returns it. */
async function readPastSubject(resources: Resources, params: DisputeParams & { as_of: string }) {
	const { as_of, project_id = "", field = null } = params;
	const { json } = await getProjectOn(resources, { project_id, as_of });
	const request = JSON.parse(json.toString()) as Record<string, unknown> & { id: string };
	const value = request[columnOf(params)] ?? "none";
	const text = typeof value === "string" ? value : JSON.stringify(value);
	return {
		...emptySubject,
		project_id: request.id,
		field,
		stated: `${text.slice(0, maxStatedLength)} (as of ${as_of})`,
	};
}

async function readSubject(sql: Sql, params: DisputeParams) {
	const { about, project_id, field, developer_id, identifier } = params;
	if (developer_id !== undefined) {
		const developer = await resolveDeveloper(sql, developer_id);
		const [scheme = null, value = null] = identifier?.split(":") ?? [];
		if (identifier !== undefined) {
			const found = await sql`
				select from developer_identifiers where developer_id = ${developer} and scheme = ${scheme} and lower(value) = ${value}`;
			if (found.count === 0) throw notFound(`${developer_id} has no identifier ${identifier}`);
		}
		return { ...emptySubject, developer_id: developer, scheme, value, stated: identifier ?? null };
	}
	const id = await resolveProjectId(sql, project_id ?? "");
	const [row] = await sql<{ stated: string | null; plants: number }[]>`
		select body::jsonb ->> ${columnOf(params)} as stated, (select count(*) from project_plants l where l.project_id = p.id) as plants
		from projects p where id = ${id}`;
	if (about === "ownership" && row?.plants === 0)
		throw notFound(`${id} is not linked to a plant, so no owners are shown`);
	return {
		...emptySubject,
		project_id: id,
		field: about === "project_field" ? (field ?? null) : null,
		stated: about === "ownership" ? null : (row?.stated?.slice(0, maxStatedLength) ?? null),
	};
}

async function checkLimits(tx: Transaction, filer: string, at: Date): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtext('disputes'))`;
	await tx`
		update disputes set filer = null
		where filer is not null and state <> 'open' and opened_at <= ${at}::timestamptz - interval '1 day'`;
	const [row] = await tx<{ own: number; open: number; wait: number }[]>`
		select (select count(*) from disputes where filer = ${filer} and opened_at > ${at}::timestamptz - interval '1 day') as own,
			(select count(*) from disputes where state = 'open') as open,
			(select coalesce(ceil(extract(epoch from min(opened_at) + interval '1 day' - ${at}::timestamptz)), 1)::integer from disputes
				where filer = ${filer} and opened_at > ${at}::timestamptz - interval '1 day') as wait`;
	if ((row?.own ?? 0) >= maxPerDay)
		throw tooManyRequests(`at most ${maxPerDay} disputes a day are accepted`, Math.max(1, row?.wait ?? 1));
	if ((row?.open ?? 0) >= maxOpen) await closeOldest(tx, filer, at);
}

/**
 * Closes the oldest dispute of the account or network with the most open ones, counting the new one. It still counts against its filer's daily
 * limit.
 */
const closeOldest = (tx: Transaction, filer: string, at: Date) => tx`
	with filed as (
		select dispute_id, ${sourceOf(tx, tx`filer`)} as source from disputes where state = 'open'
		union all select null, ${sourceOf(tx, tx`${filer}::text`)}
	), most as (select source from filed group by source having count(dispute_id) > 0 order by count(*) desc, min(dispute_id) limit 1)
	update disputes set state = 'refused', settled_at = ${at}, settled_by = 'limit',
		decision = 'Not reviewed: too many disputes were open, most of them from this source. It can be filed again.'
	where dispute_id = (select min(dispute_id) from filed join most using (source))`;

/** SQL of the account, or of the network of the address, because one party usually has neighboring addresses, too. */
const sourceOf = (tx: Transaction, filer: Fragment): Fragment => tx`
	case when pg_input_is_valid(substr(${filer}, 9), 'inet') and ${filer} like 'address:%'
		then host(network(set_masklen(substr(${filer}, 9)::inet, case family(substr(${filer}, 9)::inet) when 4 then 24 else 48 end)))
		else ${filer} end`;

export const getDispute =
	(sql: Sql): Handler<"getDispute"> =>
	({ dispute_id }) =>
		showDispute(sql, dispute_id);

/** Never returns texts that the filer wrote. @throws AppError 404 */
async function showDispute(sql: Sql, id: number): Promise<Versioned<Reply<"getDispute">>> {
	const found = await jsonReply<Reply<"getDispute">>(
		sql,
		sql`select json_build_object('dispute_id', dispute_id, 'state', state, 'about', about, 'project_id', project_id, 'field', field,
				'developer_id', developer_id, 'identifier', scheme || ':' || value, 'stated', stated, 'opened_at', iso(opened_at),
				'settled_at', iso(settled_at), 'decision', decision)
			from disputes where dispute_id = ${id}`,
	);
	if (found === null) throw notFound(`no dispute ${id}`);
	return found;
}
