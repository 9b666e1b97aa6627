/** A number that grows with every change of what a schema answers, so that unchanged answers need not be read twice. */
import type { Sql, Transaction } from "./connect.ts";

export const versionChannel = (schema: string): string => `${schema}_version`;

/** Raises the version in the caller's transaction; listeners hear of it at commit. */
export async function raiseDataVersion(tx: Transaction): Promise<number> {
	const [row] = await tx<{ version: number }[]>`
		update data_version set version = version + 1, raised_at = now() returning version`;
	await tx`select pg_notify(current_schema() || '_version', ${String(row?.version ?? 0)})`;
	return row?.version ?? 0;
}

export async function readDataVersion(sql: Sql): Promise<number> {
	const [row] = await sql<{ version: number }[]>`select version from data_version`;
	return row?.version ?? 0;
}
