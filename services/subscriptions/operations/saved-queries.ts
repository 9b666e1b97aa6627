import { AppError, conflict } from "#libs/contract/errors.ts";
import type { Handler, Params, Reply, RequestContext } from "#libs/contract/index.ts";
import { replyList } from "#libs/postgres/list.ts";
import type { Resources } from "../resources.ts";
import { accountOf, fault, makeRoom, noSavedQuery, showOwn } from "./account.ts";
import { savedQueryColumns } from "./shown.ts";

type SavedQuery = Reply<"createSavedQuery">;
type Stated = Pick<Params<"createSavedQuery">, "sql" | "database" | "parameters">;

const show = ({ sql }: Resources, id: number, accountId: number) =>
	showOwn<SavedQuery>(sql, { table: "saved_queries", id, accountId }, savedQueryColumns(sql));

const nameTaken = () => conflict("another saved query of this account has this name");

/** By the service that would run it. @throws AppError 422 for what it refuses */
async function demandStatement({ ask }: Resources, { sql, database, parameters }: Stated, context: RequestContext) {
	const names = parameters.map(({ name }) => name);
	const params = { sql, database, parameters: names, account: String(accountOf(context)) };
	await ask("checkStatement", params, { plan: context.plan }).catch((error: unknown) => {
		if (error instanceof AppError && error.status === 400) throw fault("sql", error.message);
		throw error;
	});
}

export function listSavedQueries({ sql }: Resources): Handler<"listSavedQueries"> {
	return async (request, context) => {
		const accountId = accountOf(context);
		return replyList(
			sql,
			{
				filters: { accountId },
				chosen: sql`saved_queries w where account_id = ${accountId}`,
				sort: [{ column: "id" }],
				rows: sql`select ${savedQueryColumns(sql)} from page join saved_queries w using (id)`,
			},
			request,
		);
	};
}

/** Of two at once with one name the second finds it taken. */
export function createSavedQuery(resources: Resources): Handler<"createSavedQuery"> {
	const { sql, now, limits } = resources;
	return async ({ name, ...stated }, context) => {
		const accountId = accountOf(context);
		await demandStatement(resources, stated, context);
		const id = await sql.begin(async (tx) => {
			await makeRoom(tx, "saved_queries", { accountId, most: limits.savedQueriesPerAccount });
			const [row] = await tx<{ id: number }[]>`
				insert into saved_queries (account_id, name, statement, database, parameters, created_at, changed_at)
				values (${accountId}, ${name}, ${stated.sql}, ${stated.database}, ${JSON.stringify(stated.parameters)}::text::jsonb,
					${now()}, ${now()})
				on conflict (account_id, name) do nothing returning id`;
			if (row === undefined) throw nameTaken();
			return row.id;
		});
		return show(resources, id, accountId);
	};
}

export function getSavedQuery(resources: Resources): Handler<"getSavedQuery"> {
	return ({ query_id }, context) => show(resources, query_id, accountOf(context));
}

/** Statement, database and parameters are checked as they will stand together. */
export function changeSavedQuery(resources: Resources): Handler<"changeSavedQuery"> {
	const { sql, now } = resources;
	return async ({ query_id: id, name, ...changed }, context) => {
		const accountId = accountOf(context);
		const [before] = await sql<(Stated & { version: number })[]>`
			select statement as sql, database, parameters, version from saved_queries
			where id = ${id} and account_id = ${accountId}`;
		if (before === undefined) throw noSavedQuery();
		const stated: Stated = {
			sql: changed.sql ?? before.sql,
			database: changed.database ?? before.database,
			parameters: changed.parameters ?? before.parameters,
		};
		if (Object.values(changed).some((part) => part !== undefined)) await demandStatement(resources, stated, context);
		await sql.begin(async (tx) => {
			// Names change one after the other, as they are given.
			await tx`select pg_advisory_xact_lock(hashtextextended(${`saved_queries:${accountId}`}, 0))`;
			if (name !== undefined) {
				const [other] = await tx`
					select from saved_queries where account_id = ${accountId} and name = ${name} and id <> ${id}`;
				if (other !== undefined) throw nameTaken();
			}
			const { count } = await tx`
				update saved_queries set name = coalesce(${name ?? null}, name), statement = ${stated.sql},
					database = ${stated.database}, parameters = ${JSON.stringify(stated.parameters)}::text::jsonb,
					changed_at = ${now()}, version = version + 1
				where id = ${id} and account_id = ${accountId} and version = ${before.version}`;
			if (count === 0) throw conflict("it was changed meanwhile: look at it, and ask again");
		});
		return show(resources, id, accountId);
	};
}

export function deleteSavedQuery({ sql }: Resources): Handler<"deleteSavedQuery"> {
	return async ({ query_id: id }, context) => {
		const { count } = await sql`delete from saved_queries where id = ${id} and account_id = ${accountOf(context)}`;
		if (count === 0) throw noSavedQuery();
		return { json: "{}", dataVersion: 0 };
	};
}
