/** Every move of a request's projected date goes with every event of the request. */
import { describe, expect, it } from "vitest";
import { readSeed } from "#libs/names/seed.ts";
import { republish } from "../../services/queue-ingest/admin/republish.ts";
import { syncRegister } from "../../services/queue-ingest/developers/jobs/register.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { ercotRows, idOf, takeErcot } from "./support/scoring.ts";

/** Named in the queue as "Quillfeather Renewables LLC". */
const moved = 3;
const at = (facts: { cod?: string; mw?: number }) => ercotRows((_, place) => (place === moved ? facts : {}));
const first = ercotRows()[moved]?.cod ?? "";

/** Events published since the last call, with their moves. */
async function published(queue: Queue) {
	const { changed } = await queue.announced();
	await queue.sql`delete from outbox`;
	return Object.fromEntries(changed.map(({ project, cod_changes }) => [project.id, cod_changes]));
}

describe("moves of a projected date", () => {
	it("are none in a first list", async () => {
		await using queue = await openQueue();
		await takeErcot(queue, "2026-03-01");
		const changes = Object.values(await published(queue));
		expect(changes).toHaveLength(120);
		expect(changes.every((moves) => moves.length === 0)).toBe(true);
	});

	it("are published with every later change of the request, oldest first, a correction among them", async () => {
		await using queue = await openQueue();
		await takeErcot(queue, "2026-03-01");
		await published(queue);
		await takeErcot(queue, "2026-03-05", at({ cod: "2035-06-30" }));
		const slipped = { on: "2026-03-05", old: first, new: "2035-06-30" };
		expect(await published(queue)).toEqual({ [idOf(moved)]: [slipped] });
		await takeErcot(queue, "2026-03-09", at({ cod: "2036-12-31" }));
		const again = { on: "2026-03-09", old: "2035-06-30", new: "2036-12-31" };
		expect(await published(queue)).toEqual({ [idOf(moved)]: [slipped, again] });
		await queue.retract("ERCOT", "2026-03-10");
		const back = { on: "2026-03-10", old: "2036-12-31", new: "2035-06-30" };
		expect(await published(queue)).toEqual({ [idOf(moved)]: [slipped, again, back] });
		await takeErcot(queue, "2026-03-12", at({ cod: "2035-06-30", mw: 55 }));
		expect(await published(queue)).toEqual({ [idOf(moved)]: [slipped, again, back] });
	});

	it("are published again with everything, and when the register finds another developer", async () => {
		await using queue = await openQueue();
		await takeErcot(queue, "2026-03-01");
		await takeErcot(queue, "2026-03-05", at({ cod: "2035-06-30" }));
		await published(queue);
		const slipped = [{ on: "2026-03-05", old: first, new: "2035-06-30" }];
		expect(await republish(queue.sql, "project.changed")).toBe(120);
		const all = await published(queue);
		expect(all[idOf(moved)]).toEqual(slipped);
		expect(Object.values(all).flat()).toHaveLength(1);
		expect(await republish(queue.sql, "no.such.event")).toBeUndefined();
		const learned = readSeed().map((entry) =>
			entry.canonical === "Avantus"
				? { ...entry, aliases: [...entry.aliases, { alias: "Quillfeather Renewables", ambiguous: false }] }
				: entry,
		);
		await syncRegister(queue.sql, learned);
		expect(await published(queue)).toEqual({ [idOf(moved)]: slipped });
	});
});
