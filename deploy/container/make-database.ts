/** The database itself, with the encoding and the order of text that the product is tested with, whatever the server's own are. */
import type { Sql } from "../../libs/postgres/connect.ts";
import { execute } from "../engines/postgres-roles.ts";
import { UserError } from "../local/program.ts";

/** Answers what it found or did, as a line. */
export async function makeDatabase(admin: Sql, database: string): Promise<string> {
	const [known] = await admin<{ encoding: string; collate: string }[]>`
		select pg_encoding_to_char(encoding) as encoding, datcollate as collate from pg_database where datname = ${database}`;
	if (known === undefined) {
		await execute(admin, `create database %I template template0 encoding 'UTF8' ${await locale(admin)}`, database);
		return `${database}: made`;
	}
	if (known.encoding !== "UTF8")
		throw new UserError(`The database ${database} is encoded in ${known.encoding}: make it anew with encoding UTF8.`);
	return `${database}: there already (order of text: ${known.collate})`;
}

/**
 * Sorts by code point and folds the case of every script. PostgreSQL 17 and later can without the system's library; before,
 * C.UTF-8 is the system's, and not every system has it.
 */
async function locale(admin: Sql): Promise<string> {
	const [server] = await admin<{ version: number; has: boolean }[]>`
		select current_setting('server_version_num')::int as version,
			exists (select from pg_collation where collprovider = 'c' and collcollate in ('C.UTF-8', 'C.utf8')) as has`;
	if (server === undefined) throw new Error("PostgreSQL did not say its version");
	if (server.version >= 170_000) return "locale_provider builtin builtin_locale 'C.UTF-8' lc_collate 'C' lc_ctype 'C'";
	if (server.has) return "lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'";
	throw new UserError(
		"This PostgreSQL is older than 17 and its system has no locale C.UTF-8: make the database by hand.",
	);
}
