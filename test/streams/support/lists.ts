/** Changes of a list that a test makes, one list after the other, in a world. */
import { ingestSnapshot } from "../../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { type MisoRow, misoJson, standing } from "../../queue-ingest/support/miso.ts";
import type { World } from "../../support/world.ts";

export interface Lists {
	/** Loads the next list of MISO: each of these requests has another size, or is new. */
	next(numbers: string[], more?: Partial<MisoRow>): Promise<void>;
	/** Removes it from the next list on. */
	leave(number: string): void;
	/** The next list is so many days later. */
	passDays(days: number): void;
	newest(): Promise<number>;
}

/** The first list is loaded, of `first` (ISO 8601); later ones are a minute apart. */
export async function openLists(world: Pick<World, "sql">, first = "2026-03-01T12:00:00Z"): Promise<Lists> {
	const known = new Map<string, MisoRow>();
	let minute = 0;
	async function load() {
		const asOf = new Date(Date.parse(first) + minute++ * 60_000).toISOString();
		const [file] = [misoJson([...known.values(), ...standing(60)])];
		const options = { region: "MISO" as const, files: [{ ...file, path: file.name }], asOf, accept: true };
		const { outcome } = await ingestSnapshot(world.sql, { ...options, now: () => new Date(asOf) });
		if (outcome !== "applied") throw new Error(`a list was ${outcome}`);
	}
	await load();
	return {
		async next(numbers, more = {}) {
			for (const number of numbers) {
				const before = known.get(number);
				known.set(number, { ...before, number, summer: (before?.summer ?? 100) + 20, winter: 1, ...more });
			}
			await load();
		},
		leave: (number) => void known.delete(number),
		passDays(days) {
			minute += days * 1_440;
		},
		async newest() {
			const [row] = await world.sql<{ seq: number }[]>`select coalesce(max(seq), 0) as seq from changes`;
			return row?.seq ?? 0;
		},
	};
}
