import { AppError, conflict } from "#libs/contract/errors.ts";
import type { Handlers, Params, Reply, RequestContext } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import type { Resources } from "../resources.ts";
import { checkCount, invalidField, listOwned, lockAccount, readOwned, requireAccount, unknownRow } from "./account.ts";

type Definition = Pick<Params<"createSavedQuery">, "sql" | "database" | "parameters">;

const columns = (sql: Sql): Fragment => sql`
	w.id as query_id, w.name, w.statement as sql, w.database, w.parameters, iso(w.created_at) as created_at,
	iso(w.changed_at) as changed_at`;

export const savedQueryOperations = (resources: Resources) => {
	const { sql, now, config } = resources;
	const show = (id: number, accountId: number) =>
		readOwned<Reply<"createSavedQuery">>(sql, { table: "saved_queries", id, accountId }, columns(sql));
	return {
		listSavedQueries: async (request, context) =>
			listOwned(sql, { table: "saved_queries", accountId: requireAccount(context) }, columns(sql), request),

		async createSavedQuery({ name, ...definition }, context) {
			const accountId = requireAccount(context);
			await checkStatement(resources, definition, context);
			const id = await sql.begin(async (tx) => {
				await checkCount(tx, "saved_queries", { accountId, maxRows: config.SAVED_QUERIES_PER_ACCOUNT });
				const [row] = await tx<{ id: number }[]>`
					insert into saved_queries (account_id, name, statement, database, parameters, created_at, changed_at)
					values (${accountId}, ${name}, ${definition.sql}, ${definition.database}, ${JSON.stringify(definition.parameters)}::text::jsonb,
						${now()}, ${now()})
					on conflict (account_id, name) do nothing returning id`;
				if (row === undefined) throw nameTaken();
				return row.id;
			});
			return show(id, accountId);
		},

		getSavedQuery: ({ query_id }, context) => show(query_id, requireAccount(context)),

		/** Checks statement, database and parameters together, in the form that they have after the change. */
		async changeSavedQuery({ query_id: id, name, ...changes }, context) {
			const accountId = requireAccount(context);
			const [stored] = await sql<(Definition & { version: number })[]>`
				select statement as sql, database, parameters, version from saved_queries
				where id = ${id} and account_id = ${accountId}`;
			if (stored === undefined) throw unknownRow("saved_queries");
			const definition: Definition = {
				sql: changes.sql ?? stored.sql,
				database: changes.database ?? stored.database,
				parameters: changes.parameters ?? stored.parameters,
			};
			if (Object.values(changes).some((part) => part !== undefined))
				await checkStatement(resources, definition, context);
			await sql.begin(async (tx) => {
				await lockAccount(tx, "saved_queries", accountId);
				if (name !== undefined) {
					const [other] = await tx`
						select from saved_queries where account_id = ${accountId} and name = ${name} and id <> ${id}`;
					if (other !== undefined) throw nameTaken();
				}
				const { count } = await tx`
					update saved_queries set name = coalesce(${name ?? null}, name), statement = ${definition.sql},
						database = ${definition.database}, parameters = ${JSON.stringify(definition.parameters)}::text::jsonb,
						changed_at = ${now()}, version = version + 1
					where id = ${id} and account_id = ${accountId} and version = ${stored.version}`;
				if (count === 0) throw conflict("the saved query was changed meanwhile: read it again and retry");
			});
			return show(id, accountId);
		},

		async deleteSavedQuery({ query_id: id }, context) {
			const { count } =
				await sql`delete from saved_queries where id = ${id} and account_id = ${requireAccount(context)}`;
			if (count === 0) throw unknownRow("saved_queries");
			return { json: "{}", dataVersion: 0 };
		},
	} satisfies Partial<Handlers<"subscriptions">>;
};

const nameTaken = () => conflict("another saved query of this account has this name");

/** Requests the query service to check a statement. @throws AppError 422 */
async function checkStatement(
	{ requestService }: Resources,
	{ sql, database, parameters }: Definition,
	context: RequestContext,
) {
	const names = parameters.map(({ name }) => name);
	const params = { sql, database, parameters: names, account: String(requireAccount(context)) };
	await requestService("checkStatement", params, { plan: context.plan }).catch((error: unknown) => {
		if (error instanceof AppError && error.status === 400) throw invalidField("sql", error.message);
		throw error;
	});
}
