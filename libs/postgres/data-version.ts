/** The data version increases with every change of a schema's data, so that cached responses are valid while it is unchanged. */
import type { Sql, Transaction } from "./connect.ts";

export const versionChannel = (schema: string): string => `${schema}_version`;

/** Raises the version in the caller's transaction; listeners are notified at commit. */
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
