/** The sessions that hold the relays' locks in PostgreSQL. */
import { expect } from "vitest";
import type { Sql } from "#libs/postgres/connect.ts";
import { services } from "../../../deploy/local/services.ts";
import { eventually } from "../../support/eventually.ts";

const schemas = services.flatMap(({ schema }) => schema ?? []);

/** Resolves when in each schema one session, and not two, may relay. */
export async function oneRelayEach(admin: Sql): Promise<void> {
	await eventually(async () => {
		for (const schema of schemas) expect([schema, await holders(admin, schema)]).toEqual([schema, 1]);
		return true;
	});
}

async function holders(admin: Sql, schema: string): Promise<number> {
	const [row] = await admin<{ holders: number }[]>`
		select count(*) as holders from pg_locks
		where locktype = 'advisory' and granted and objsubid = 1
			and database = (select oid from pg_database where datname = current_database())
			and (classid::bigint << 32) | objid::bigint = hashtextextended(${`relay:${schema}`}, 0)`;
	return row?.holders ?? 0;
}
