/** What the reactions that copy names share. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";

/** Wakes the job that matches stored texts again. Suffixed with the schema. */
export const namesChannel = (schema: string): string => `${schema}_names`;

/** To call when a name that texts are matched with is new or another. */
export async function raiseNames(tx: Transaction): Promise<void> {
	await tx`update names set version = version + 1`;
	await tx`select pg_notify(current_schema() || '_names', ${currentTraceparent() ?? ""})`;
}
