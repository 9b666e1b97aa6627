/** What the reactions that copy names share. */
import type { Transaction } from "#libs/postgres/connect.ts";

/** Wakes whoever matches again what is stored. Suffixed with the schema. */
export const namesChannel = (schema: string): string => `${schema}_names`;

/** To call when a name that texts are matched with is new or another. */
export async function raiseNames(tx: Transaction): Promise<void> {
	await tx`update names set version = version + 1`;
	await tx`select pg_notify(current_schema() || '_names', '')`;
}

/** Of several events about one thing the one with the highest version: one statement writes a row once. */
export function newestOfEach<E extends { version: number }>(events: readonly E[], key: (event: E) => unknown): E[] {
	const newest = new Map<unknown, E>();
	for (const event of events) {
		const known = newest.get(key(event));
		if (known === undefined || event.version > known.version) newest.set(key(event), event);
	}
	return [...newest.values()];
}
